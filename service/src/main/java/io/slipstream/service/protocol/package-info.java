/**
 * What client and service say to each other. Every message is a frame, the same bytes on the socket, in the ring and in
 * the journal; {@link io.slipstream.service.protocol.Message} draws it.
 *
 * <pre>
 *   client                                            service
 *     HELLO (key, last output seen)  ─────────────▶   opens the session of that key, or resumes it
 *     ◀───────────────  WELCOME (session, outputs that follow, whether older ones were lost)
 *     ◀───────────────  the outputs that the client has not seen yet
 *     COMMAND (correlation, payload) ─────────────▶   journal, then logic
 *     ◀───────────────  REPLY, or FAILED with a code and a text, or BUSY with a time to come back
 *     QUERY (correlation, payload)   ─────────────▶   logic only: reads what is durable, changes nothing
 *     ◀───────────────  EVENT, at any time, caused by anybody's command
 *     BYE                            ─────────────▶   ends the session
 *     ◀───────────────  ERROR: the stream is broken; the connection closes
 * </pre>
 *
 * <p>A client numbers its commands with growing correlations and may send each again after a reconnect, flagged as
 * resent: it is applied once and answered, and never with BUSY, which would say that it was not applied. Outputs are
 * ordered by (sequence, index): the place in the log of the command that caused them, and the place among its outputs
 * to this session. A client that reconnects names the last it has seen and gets the rest.
 *
 * <p>An offset in this package is that of a message's header, also where a method reads the payload. Whoever takes
 * commands or replies as a user of a service gets the offset of the payload, and its length alone.
 */
@NullMarked
package io.slipstream.service.protocol;

import org.jspecify.annotations.NullMarked;
