/**
 * The stage that applies what is durable: sessions, exactly-once, the state machine, and its outputs.
 *
 * <pre>
 *   input ring ── behind the journal ──▶ LogicStage ──▶ StateMachine
 *   journal (at start) ────────────────▶     │               │ reply, event
 *                                            ▼               ▼
 *                                        Sessions ◀────── Outputs ──▶ output ring ──▶ gateway
 *                                        Session: ReplayWindow (which commands were applied)
 *                                                 Outbox (what was sent, for a client that comes back)
 * </pre>
 *
 * All of it is deterministic: replaying the log rebuilds sessions, windows and outboxes as well as the state.
 */
@NullMarked
package io.slipstream.service.logic;

import org.jspecify.annotations.NullMarked;
