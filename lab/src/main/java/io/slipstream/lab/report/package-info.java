/**
 * Results as JSON, CSV and one HTML page that needs nothing else.
 */
@NullMarked
package io.slipstream.lab.report;

import org.jspecify.annotations.NullMarked;
