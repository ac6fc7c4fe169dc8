@NullMarked
package io.slipstream.benchmarks.executor;

import org.jspecify.annotations.NullMarked;
