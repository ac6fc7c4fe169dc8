@NullMarked
package io.slipstream.benchmarks.ring;

import org.jspecify.annotations.NullMarked;
