/**
 * One description, many memories.
 *
 * <pre>
 *   record Order(long id, ...)      schema      what it consists of
 *         │                         codec       its bytes, and flyweights over them
 *         └──▶ Schema ──▶           json, dump  its bytes as text
 *                                   container   messages in a file, with their schema
 *                                   list, index huge collections outside the heap
 * </pre>
 */
@NullMarked
package io.slipstream.data;

import org.jspecify.annotations.NullMarked;
