@NullMarked
package io.slipstream.benchmarks.text;

import org.jspecify.annotations.NullMarked;
