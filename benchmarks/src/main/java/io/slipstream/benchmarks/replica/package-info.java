/**
 * What a backup site costs, and how fast it catches up.
 *
 * <pre>
 *   CatchUpContest   journal ──JournalPush──▶ BackupSite     beside   files ──TCP──▶ files
 *   PrimaryContest   client ──▶ Service with a backup        beside   the same one without
 * </pre>
 */
@NullMarked
package io.slipstream.benchmarks.replica;

import org.jspecify.annotations.NullMarked;
