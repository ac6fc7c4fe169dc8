/**
 * Where events go.
 *
 * <pre>
 *   run of frames ──▶ Output ├ TextOutput ── Layout ──▶ lines ──▶ LineSink ├ ConsoleSink
 *                            │                                            └ FileSink    rolls, compresses, removes
 *                            └ JournalOutput ─ as they are ──▶ journal
 * </pre>
 *
 * <p>An output never throws: what cannot be written is counted as lost, and told when it can be written again.
 */
@NullMarked
package io.slipstream.log.output;

import org.jspecify.annotations.NullMarked;
