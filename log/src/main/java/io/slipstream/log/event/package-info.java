/**
 * What is logged, as bytes: written by the thread that logs, read by the back end or by a tool years later.
 *
 * <pre>
 *   0        8         12      16         24         32        40       44       48
 *   +--------+---------+-------+----------+----------+---------+--------+--------+--------- - -
 *   | frame  | type... | epoch | sequence | stamp    | nanos   | site   | thread | arguments
 *   +--------+---------+-------+----------+----------+---------+--------+--------+--------- - -
 *    header of a record of a journal      ~position   since 1970
 *
 *   argument:  tag (byte), then  8 bytes | 1 byte | length (int) and characters
 * </pre>
 *
 * <ul>
 * <li><b>site</b>: a statement of a program: level, logger and message with its placeholders. It is known once and
 *     then is a number. A negative one is that of texts of a level, which no statement has: their first argument is the
 *     name of the logger, and the message follows in pieces.
 * <li><b>stamp</b>: the complement of the position in the ring, written last: a frame of a killed process that has it
 *     is whole.
 * <li><b>argument</b>: what a placeholder stands for. Objects are text already.
 * </ul>
 */
@NullMarked
package io.slipstream.log.event;

import org.jspecify.annotations.NullMarked;
