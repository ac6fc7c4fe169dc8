/**
 * What a record looks like in memory, and who receives it.
 *
 * <pre>
 *   frame header | type | version | flags | epoch | sequence | payload
 *   └───────────────────── JournalRecord ───────────────────┘
 * </pre>
 */
@NullMarked
package io.slipstream.journal.record;

import org.jspecify.annotations.NullMarked;
