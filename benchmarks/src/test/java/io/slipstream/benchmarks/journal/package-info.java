@NullMarked
package io.slipstream.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
