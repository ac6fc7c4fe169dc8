/**
 * A disk in memory, which keeps apart what was written and what is safe, and shows what a crash may leave of it.
 *
 * <pre>
 *   Journal ──▶ SimulatedStorage ──▶ SimulatedDisk
 *               one life: faults,       files:   now    what a read sees
 *               the crash point                  safe   what was forced
 *                                                versions of each sector between the two
 *                                       names:   now, safe, and the changes between the two
 *
 *   BUFFERED  a write is safe once it was forced      DSYNC, DIRECT  each write is safe when it returns
 *   MAPPED    a store is a write, seen by the next operation of any kind
 *
 *   disk.powerLoss(random)    any mixture of safe and written sectors, at 512 bytes or 4 KiB; any names not synced lost
 *   disk.kill()               all that was written; what a failed force has dropped may be there or not
 * </pre>
 */
@NullMarked
package io.slipstream.sim.storage;

import org.jspecify.annotations.NullMarked;
