/**
 * An event-sourced service: its user writes one {@link io.slipstream.service.machine.StateMachine}, the rest is here.
 *
 * <pre>
 *   clients ⇄ Gateway ─▶ input ring ─▶ JournalStage ─▶ LogicStage ─▶ output ring ─▶ Gateway ⇄ clients
 *             sockets    frames        one write and    StateMachine   frames
 *             admission                one force a
 *                                      batch
 * </pre>
 *
 * Each stage takes whatever has arrived as one batch and never waits for a timer. The logic sees a command when it is
 * as durable as the configured level says, so every reply that leaves is the reply to a durable command. After a
 * restart the journal is replayed through the same logic.
 *
 * <p>The stages are duties; {@link io.slipstream.service.Threading} says on how many threads they run.
 */
@NullMarked
package io.slipstream.service;

import org.jspecify.annotations.NullMarked;
