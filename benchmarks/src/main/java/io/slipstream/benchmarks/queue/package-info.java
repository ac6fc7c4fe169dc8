/**
 * The bounded queues beside those of JCTools and of the JDK: how many elements a second go from producers to consumers.
 */
@NullMarked
package io.slipstream.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
