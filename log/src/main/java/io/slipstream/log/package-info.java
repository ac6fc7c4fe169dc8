/**
 * Logging that the main flow does not feel.
 *
 * <pre>
 *   Log.info("order {} filled at {}", id, price)          any thread: claim, write binary, publish
 *      │ site known once, numbers as they are, objects as text
 *      ▼
 *   ring of frames ── worker: BackEnd ──▶ Output: text to console or file, or binary to a journal
 *      full: wait so long, keep what is grave, count and tell the rest
 * </pre>
 *
 * <ul>
 * <li><b>log</b>: what a class logs through; it has a name and a threshold.
 * <li><b>site</b>: a statement that logs; it is sent once, and then only its number and arguments are.
 * <li><b>dropped</b>: there was no room in the ring for as long as a call may wait. <b>lost</b>: the device did not
 *     take it.
 * </ul>
 */
@NullMarked
package io.slipstream.log;

import org.jspecify.annotations.NullMarked;
