/**
 * Small tools of the articles: banner, mapped standard input, k-nucleotide, rounding, splitting.
 */
@NullMarked
package io.slipstream.lab.tool;

import org.jspecify.annotations.NullMarked;
