/**
 * A durable key-value store that Redis clients talk to.
 *
 * <pre>
 *   socket ──▶ RespProtocol ──command, query──▶ journal ──▶ KeyValueStore ──▶ command.Interpreter ──▶ memory, value
 *   socket ◀── RespProtocol ◀────────reply, event──────────────┘
 * </pre>
 */
@NullMarked
package io.slipstream.keyvalue;

import org.jspecify.annotations.NullMarked;
