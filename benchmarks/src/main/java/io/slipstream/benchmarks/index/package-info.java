/**
 * Indexes beside the maps of fastutil, Agrona, Eclipse Collections and the JDK, and a mapped one beside Chronicle Map.
 *
 * <p>All hold the same random keys. At ten million keys every one of them, ours included, has 2^24 places for them: the
 * load is 0.6 for all but {@code HashMap}, which has nodes.
 */
@NullMarked
package io.slipstream.benchmarks.index;

import org.jspecify.annotations.NullMarked;
