/**
 * Plots as SVG text: bars with spread, lines on logarithmic axes, heat maps, percentile curves.
 */
@NullMarked
package io.slipstream.lab.plot;

import org.jspecify.annotations.NullMarked;
