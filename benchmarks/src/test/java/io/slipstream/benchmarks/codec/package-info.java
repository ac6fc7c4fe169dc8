@NullMarked
package io.slipstream.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
