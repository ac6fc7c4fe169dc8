/**
 * Indexes outside the heap: maps with open addressing that grow page by page.
 *
 * <pre>
 *   LongLongIndex --- LongTable --- Directory --- page, page, page ...
 *        |                |                          |
 *   LongLongReader    PageStore                   bucket, bucket, ...
 *   (other threads)   native memory, IndexFolder
 *
 *   BytesLongIndex --- LongLongIndex: hash of 64 bits to address
 *        |        \--- KeyRecords: address to key and value
 *   BytesLongReader
 * </pre>
 *
 * <p>Vocabulary. A <b>bucket</b> is a cache line of four entries. A <b>page</b> is a table of buckets of its own; one
 * that fills up is <b>split</b>. A <b>slab</b> is a piece of memory, or a file, with several pages. The
 * <b>directory</b> says in which page a hash is found. The <b>version</b> of a page is odd while its entries move. A
 * page is <b>frozen</b> by a commit. A <b>record</b> is a key of bytes with its value; it is <b>fresh</b> until a
 * commit has it.
 */
@NullMarked
package io.slipstream.data.index;

import org.jspecify.annotations.NullMarked;
