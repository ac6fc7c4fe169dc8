/**
 * The frame: the eight bytes that every message begins with, in a ring, in a journal, on a socket, in shared memory.
 *
 * <pre>
 *    offset           offset + 8                offset + length      next multiple of 16
 *      │                  │                            │                  │
 *      ▼                  ▼                            ▼                  ▼
 *      ┌────────┬─────────┬────────────────────────────┬──────────────────┬────────┬─ - -
 *      │ length │   tag   │  message                   │  padding         │ length │
 *      └────────┴─────────┴────────────────────────────┴──────────────────┴────────┴─ - -
 * </pre>
 *
 * <ul>
 * <li><b>length</b>: bytes of header and message; negative for bytes to be skipped.
 * <li><b>tag</b>: four bytes that belong to whoever writes the frame.
 * <li><b>handler</b>: receives frames where they lie; <b>copier</b>: takes from a frame what may be overwritten
 *     meanwhile; <b>writer</b>: fills a frame that was claimed.
 * </ul>
 */
@NullMarked
package io.slipstream.core.frame;

import org.jspecify.annotations.NullMarked;
