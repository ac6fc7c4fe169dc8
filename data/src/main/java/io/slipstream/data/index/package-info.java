/**
 * Indexes outside the heap: maps with open addressing that grow page by page.
 *
 * <pre>
 *   LongLongIndex --- LongTable --- Directory --- page, page, page ...
 *        |                |                          |
 *   LongLongReader    PageStore                   bucket, bucket, ...
 *   (other threads)   native memory, IndexFolder
 * </pre>
 *
 * <p>Vocabulary. A <b>bucket</b> is a cache line of four entries. A <b>page</b> is a table of buckets of its own; one
 * that fills up is <b>split</b>. A <b>slab</b> is a piece of memory, or a file, with several pages. The
 * <b>directory</b> says in which page a hash is found. The <b>version</b> of a page is odd while its entries move. A
 * page is <b>frozen</b> by a commit.
 */
@NullMarked
package io.slipstream.data.index;

import org.jspecify.annotations.NullMarked;
