/** Tests of the suite. */
@NullMarked
package io.slipstream.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
