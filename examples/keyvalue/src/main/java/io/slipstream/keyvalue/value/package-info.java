/**
 * What a key can hold.
 *
 * <pre>
 *   string       in the record of the key itself, outside the heap
 *   ListValue    a ring of elements
 *   HashValue    fields in the order in which they came
 *   SetValue     members, each at a place, so that one can be drawn at random
 *   SortedSet    members by score, in a skip list that counts what it skips
 * </pre>
 *
 * Each keeps a hash of its content, so that the hash of the whole state is known at any time.
 */
@NullMarked
package io.slipstream.keyvalue.value;

import org.jspecify.annotations.NullMarked;
