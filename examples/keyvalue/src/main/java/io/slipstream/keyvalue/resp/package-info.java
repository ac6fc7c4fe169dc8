/**
 * The language that Redis clients speak, in both of its versions.
 *
 * <pre>
 *   bytes ─▶ RequestParser ─▶ Words ─▶ RedisConversation ─▶ payload of a command or a query
 *   bytes ◀──────────────────────────  RedisConversation ◀─ reply, written by Reply, passed on as it is
 * </pre>
 */
@NullMarked
package io.slipstream.keyvalue.resp;

import org.jspecify.annotations.NullMarked;
