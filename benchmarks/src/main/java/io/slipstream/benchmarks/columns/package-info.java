/** Huge lists and their columns beside lists of beans, arrays and Arrow vectors. */
@NullMarked
package io.slipstream.benchmarks.columns;

import org.jspecify.annotations.NullMarked;
