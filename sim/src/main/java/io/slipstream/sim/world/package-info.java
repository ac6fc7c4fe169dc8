/**
 * Time, chance and history of a simulated world.
 *
 * <pre>
 *   seed ──▶ Schedule ──▶ the next event, on the one thread ──▶ plans others
 *               └──▶ Trace: the same seed leads to the same hash
 * </pre>
 */
@NullMarked
package io.slipstream.sim.world;

import org.jspecify.annotations.NullMarked;
