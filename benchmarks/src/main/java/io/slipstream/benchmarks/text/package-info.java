/**
 * Text from and to bytes beside the JDK, FastDoubleParser and the fastest reader of CSV that was found. Each round
 * handles the same values, and checks
 * what it read or wrote by a sum. What is ours must not allocate, or the round fails.
 */
@NullMarked
package io.slipstream.benchmarks.text;

import org.jspecify.annotations.NullMarked;
