/**
 * The language of Redis, RESP2 and RESP3: bytes to the words of commands, and answers to bytes.
 *
 * <pre>
 *   bytes ──RequestParser──▶ Words ──RespConversation──▶ payload: command, protocol, words
 *   bytes ◀────────────────── Reply, as the payload of the answer has them
 * </pre>
 */
@NullMarked
package io.slipstream.keyvalue.resp;

import org.jspecify.annotations.NullMarked;
