/**
 * Events as text.
 *
 * <pre>
 *   event ── with Statement (parts, names as bytes) ──▶ Layout ──▶ TextBuffer
 *                                                        ├ PatternLayout   %d %-5p [%t] %c - %m%n
 *                                                        ├ JsonLayout      one object a line
 *                                                        └ LogfmtLayout    key=value pairs
 * </pre>
 */
@NullMarked
package io.slipstream.log.layout;

import org.jspecify.annotations.NullMarked;
