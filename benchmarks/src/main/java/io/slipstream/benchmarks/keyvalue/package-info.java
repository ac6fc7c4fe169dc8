/**
 * The key-value store beside Redis.
 *
 * <pre>
 *   RedisContest    redis-benchmark on both; ours in this JVM, redis-server beside it, files on the same disk
 *   SteadyContest   SteadyLoad on both, at a fixed rate, while both save
 *   MemoryContest   both as processes with many keys, filled by Filler
 *   StartContest    the same, started again from what they have on disk
 * </pre>
 */
@NullMarked
package io.slipstream.benchmarks.keyvalue;

import org.jspecify.annotations.NullMarked;
