/**
 * Services whose commands, queries, replies and events are records.
 *
 * <pre>
 *   record Deposit(long account, long amount) implements Command&lt;Balance&gt; {}
 *
 *   TypedClient ──Deposit──▶ bytes ──▶ Service ──▶ TypedMachine ──Deposit──▶ Balance deposit(Deposit, Context)
 *        ◀──Balance── bytes ◀─────────────────────────── Balance ◀──────────────┘
 *                 ▲                                         ▲
 *                 └────────────── Contract ─────────────────┘   every type, with its codec
 * </pre>
 *
 * <p>Vocabulary. A <b>command</b> changes the state and is in the log; a <b>query</b> does neither. Each names the type
 * of its <b>reply</b>. An <b>event</b> goes to a session or to a topic without having been asked for. The
 * <b>contract</b> lists them all: machine, client and gateways share it. A command that is <b>rejected</b> has a reason
 * in place of a reply.
 *
 * <p>Payloads are what the {@link io.slipstream.data.codec.Codec} of the record writes: eight bytes of header with type
 * id, schema version and fingerprint, then the fields.
 *
 * <p>A gateway for another protocol needs the {@link io.slipstream.service.typed.Contract} alone:
 *
 * <pre>{@code
 *   for (Operation<?, ?> operation : contract.operations()) {          // commands and queries
 *       operation.kind(); operation.name();                            // COMMAND, "Deposit"
 *       operation.schema().definitions();                              // fields, types, limits
 *       operation.replySchema().definitions();
 *   }
 *   Operation<?, ?> deposit = contract.operation("Deposit");           // throws if there is none
 *   byte[] payload = deposit.fromJson("{\"account\":7,\"amount\":100}"); // throws DecodeException: field and position
 *   Reply reply = client.call(payload);                                // client.query(payload) for a query
 *   String json = deposit.replyToJson(reply.payload());
 *   String event = contract.eventToJson(memory, offset, length);       // with "@type", the name of the event
 * }</pre>
 */
@NullMarked
package io.slipstream.service.typed;

import org.jspecify.annotations.NullMarked;
