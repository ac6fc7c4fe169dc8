/**
 * Looks at a journal's folder from outside: nothing is locked and nothing is changed, but for what is asked for by
 * name.
 *
 * <pre>
 *   folder ──▶ FolderWalk ──▶ each header, mark, record, end, damage ──▶ JournalTool ──▶ Report: text, or JSON lines
 * </pre>
 */
@NullMarked
package io.slipstream.journal.tool;

import org.jspecify.annotations.NullMarked;
