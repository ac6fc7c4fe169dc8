/** Tests of the harness. */
@NullMarked
package io.slipstream.benchmarks;

import org.jspecify.annotations.NullMarked;
