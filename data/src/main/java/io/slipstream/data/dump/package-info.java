/**
 * Bytes explained: offset, bytes, field and value, line by line, with definitions alone and no Java class.
 *
 * <pre>
 *          0  07 00 01 00 10 00 5c 9e  Order               version 1, block of 16 bytes
 *          8  01 00 00 00 00 00 00 00  Order.id            1
 * </pre>
 */
@NullMarked
package io.slipstream.data.dump;

import org.jspecify.annotations.NullMarked;
