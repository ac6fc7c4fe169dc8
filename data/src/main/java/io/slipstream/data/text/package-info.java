/**
 * Text straight from and to bytes, without garbage.
 *
 * <pre>
 *   long, decimal, double, boolean, instant, hexadecimal
 *        │ write(value, bytes, at) → end            ▲ parse(bytes, begin, end)
 *        ▼                                          │
 *   byte[] ── LongText DecimalText DoubleText BooleanText InstantText HexText
 *        ▲                                          ▲
 *   MemorySegment ── SegmentText                    │ fields of a record
 *   grows as needed ── TextBuffer, CsvWriter     CsvReader ◀── channel, byte[], MemorySegment
 * </pre>
 *
 * <ul>
 * <li><b>begin, end</b>: the range of a text in its array; the end is exclusive. A parser takes the whole range or
 * refuses it.
 * <li><b>mantissa, scale</b>: a decimal is {@code mantissa / 10^scale}; 12.50 at scale 2 is 1250.
 * <li><b>record, field</b>: a line of CSV and its parts, with quotes as in RFC 4180.
 * </ul>
 *
 * <p>Text is ASCII, and UTF-8 inside fields. Whoever reads a text that is wrong gets a
 * {@link io.slipstream.data.text.TextException} with the position and what was expected there.
 */
@NullMarked
package io.slipstream.data.text;

import org.jspecify.annotations.NullMarked;
