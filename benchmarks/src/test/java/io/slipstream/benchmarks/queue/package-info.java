@NullMarked
package io.slipstream.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
