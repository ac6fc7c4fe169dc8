/**
 * Opening a journal: what is there, what it means, and what is done about it.
 *
 * <pre>
 *   force files and folder ─▶ chain of headers ─▶ walk through the frames ─▶ where and why it stops
 *                                                                               │
 *                        continue / cut / refuse  ◀── decision table ◀── what lies behind: nothing, bytes, evidence
 * </pre>
 */
@NullMarked
package io.slipstream.journal.recovery;

import org.jspecify.annotations.NullMarked;
