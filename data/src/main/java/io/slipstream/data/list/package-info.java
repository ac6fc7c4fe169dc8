/**
 * Huge lists: elements of a record or an interface, each field in a column of its own outside the heap, or by rows.
 *
 * <pre>
 *   HugeList&lt;Trade&gt; --- Table --- blocks of columns          (io.slipstream.data.column)
 *      |       |    \-- Dictionary for each text
 *      |       \------- LongLongIndex of the identity        (io.slipstream.data.index)
 *   Cursor&lt;Trade&gt;       generated: moves over the rows, is the element itself (interface) or makes it (record)
 * </pre>
 *
 * <p>Vocabulary. A <b>cursor</b> stands on a row and reads and writes it in place. A <b>dictionary</b> keeps each
 * distinct text once, and a row its <b>code</b>. The <b>identity</b> is the field by which an element is found. A
 * <b>commit</b> is what a list in files opens with.
 */
@NullMarked
package io.slipstream.data.list;

import org.jspecify.annotations.NullMarked;
