/** Tests of the comparisons of indexes. */
@NullMarked
package io.slipstream.benchmarks.index;

import org.jspecify.annotations.NullMarked;
