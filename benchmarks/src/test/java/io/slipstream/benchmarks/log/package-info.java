@NullMarked
package io.slipstream.benchmarks.log;

import org.jspecify.annotations.NullMarked;
