/**
 * The rings beside LMAX Disruptor, Agrona and Aeron IPC.
 *
 * <pre>
 *   unicast    P ─▶ C            pipeline   P ─▶ C ─▶ C ─▶ C        ping-pong   A ─▶ ring ─▶ B
 *   multicast  P ─▶ C, C, C      diamond    P ─▶ C, C ─▶ C                      A ◀─ ring ◀─ B
 * </pre>
 *
 * Both competitors run the same handlers, rings of the same size and the same way of waiting. A round makes its ring
 * and starts its threads, and its time begins with the first claim and ends when the last stage has handled the last
 * event; the sum that each stage has computed is checked.
 */
@NullMarked
package io.slipstream.benchmarks.ring;

import org.jspecify.annotations.NullMarked;
