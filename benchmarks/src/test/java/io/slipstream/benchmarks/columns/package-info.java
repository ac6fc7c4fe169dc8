/** Tests of the comparisons of huge lists. */
@NullMarked
package io.slipstream.benchmarks.columns;

import org.jspecify.annotations.NullMarked;
