/**
 * Who is attached to a channel, how far each of them is, and how far publishers may therefore write.
 *
 * <pre>
 *   Slots ──▶ Slot, SlotState      taken under a kernel lock; freed by its owner, or by whoever finds the lock free
 *   Positions ──▶ Limit ──▶ Gates  the slowest position, how far publishers may write, and who holds them up
 * </pre>
 */
@NullMarked
package io.slipstream.ipc.slot;

import org.jspecify.annotations.NullMarked;
