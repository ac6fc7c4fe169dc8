/**
 * The key-value store beside Redis, both driven by {@code redis-benchmark}.
 *
 * <pre>
 *   RedisContest ──▶ redis-benchmark ──▶ Servers: ours in this JVM, redis-server beside it, files on the same disk
 * </pre>
 */
@NullMarked
package io.slipstream.benchmarks.keyvalue;

import org.jspecify.annotations.NullMarked;
