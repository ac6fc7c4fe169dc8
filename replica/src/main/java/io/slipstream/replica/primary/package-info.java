/**
 * The primary's side: its journal goes to the backup as it grows.
 *
 * <pre>
 *   journal ──JournalReader──▶ Batch ──DATA──▶ backup
 *                                               │
 *   LogGate ◀───── acknowledged sequence ◀─ACK──┘     at level BACKUP the logic waits for it
 * </pre>
 *
 * One thread sends, one receives acknowledgements; the journal's thread only wakes the one and reads the other's
 * number.
 */
@NullMarked
package io.slipstream.replica.primary;

import org.jspecify.annotations.NullMarked;
