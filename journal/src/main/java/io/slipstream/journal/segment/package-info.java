/**
 * The segment files of a journal: their layout, and reading and writing them.
 *
 * <pre>
 *   segment file, all of it allocated and zero before use
 *   +--------------+------+--------+--------+-- - - --+--------+------+--------+- - - - - - - - - - +
 *   | header       | mark | record | record |  zeros  | mark   | record ...    |  zeros               |
 *   | 4096 bytes   |      |        |        | to block|        |               |  (not yet written)   |
 *   +--------------+------+--------+--------+-- - - --+--------+------+--------+- - - - - - - - - - +
 *                  └───── a batch, one write ────────┘└── the next one ──── - -
 * </pre>
 *
 * <ul>
 * <li><b>mark</b>: a frame of the journal's own; it says when it was written and which records had been forced by then.
 * <li><b>block</b>: 4096 bytes; at SYNC each batch begins with a new one, and zeros fill the rest of the former.
 * <li><b>epoch</b>: which opening of the journal has written a frame; bytes of a former life never fit in.
 * <li><b>evidence</b>: a mark or a header behind a damaged place that says that this place had been durable.
 * </ul>
 */
@NullMarked
package io.slipstream.journal.segment;

import org.jspecify.annotations.NullMarked;
