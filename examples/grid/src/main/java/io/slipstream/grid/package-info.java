/**
 * A data grid: a typed map that many clients share, with code that runs where the data is.
 *
 * <pre>
 *   GridMap ──put, remove, Processor──▶ log ──▶ GridMachine ──Changed──▶ GridListener
 *      └──────────────get─────────────────────▶    (all entries)         (of each GridMap)
 * </pre>
 *
 * <p>Vocabulary. The map has <b>entries</b>: a text as the key, a record as the value. An entry <b>processor</b> is a
 * record with a method that reads and changes one entry. A <b>listener</b> first gets all entries and then each change.
 * {@link io.slipstream.grid.GridType} names the type of the values and the processors.
 */
@NullMarked
package io.slipstream.grid;

import org.jspecify.annotations.NullMarked;
