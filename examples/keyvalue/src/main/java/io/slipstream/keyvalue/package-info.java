/**
 * A durable key-value store that Redis clients talk to.
 *
 * <pre>
 *   client ⇄ RedisProtocol ─▶ log ─▶ KeyValueMachine ─▶ StringCommands, KeyCommands ─▶ Database ─▶ Keyspace
 * </pre>
 *
 * A reading command is a query and is not in the log. Time is that of the log; one timer removes what has expired.
 */
@NullMarked
package io.slipstream.keyvalue;

import org.jspecify.annotations.NullMarked;
