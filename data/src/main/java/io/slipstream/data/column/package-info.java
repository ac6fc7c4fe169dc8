/**
 * Columns: one field of many rows outside the heap, side by side or in rows, and what is computed over them.
 *
 * <pre>
 *   Table     block 0                 block 1
 *             +-------------------+   +-------------------+
 *   price     | v v v v v v v v v |   | v v v v . . . . . |     LongColumn.sum(), min(), whereBetween() ...
 *   bought    | bits              |   | bits              |     BitColumn
 *             +-------------------+   +-------------------+
 *             rows 0 ... n-1          rows n ... 2n-1
 * </pre>
 *
 * <p>Vocabulary. A <b>row</b> is an element by its number. A <b>block</b> holds all columns of a power of two of
 * rows. Columns of a <b>group</b> lie together, row by row; most are alone in theirs. A <b>sealed</b> block is full
 * and keeps each column by its <b>frame</b> of reference, in as few bytes as its values need. A <b>row set</b> is a
 * bitmap of rows: what a filter gives.
 */
@NullMarked
package io.slipstream.data.column;

import org.jspecify.annotations.NullMarked;
