/**
 * Copies of a cluster's log for the day on which its members are lost.
 *
 * <pre>
 *   leader ──over its seventh port──▶ Backups: backup-00000007/ ──▶ Restoration ──▶ the folder of each member
 * </pre>
 */
@NullMarked
package io.slipstream.cluster.backup;

import org.jspecify.annotations.NullMarked;
