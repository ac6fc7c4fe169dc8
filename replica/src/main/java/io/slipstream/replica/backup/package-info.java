/**
 * The backup's side: it appends what the primary pushes, follows with a warm state machine, and takes over when told.
 *
 * <pre>
 *   primary ──DATA──▶ Intake ──append, commit──▶ journal ──▶ WarmState ──▶ queries
 *           ◀──ACK────   │
 *   operator ─PROMOTE─▶ BackupSite ──▶ term + 1, snapshot ──▶ a service may start on the folder
 * </pre>
 *
 * A thread for each connection; the journal has one owner at a time, who holds the intake's lock.
 */
@NullMarked
package io.slipstream.replica.backup;

import org.jspecify.annotations.NullMarked;
