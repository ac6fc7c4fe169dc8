/**
 * The client of a service: any number of threads send, one thread talks to the service, which many clients can share.
 *
 * <pre>
 *   callers ──send──▶ ring of frames ──▶ ClientLink (ClientThread) ─▶ socket
 *                      │ a frame stays here until it is answered,
 *                      │ and is sent again after a reconnect
 *   future / ReplyHandler ◀── answers ── ClientLink ◀── socket
 * </pre>
 *
 * What is sent is applied once, however often the connection breaks: the session is resumed, what was not answered is
 * sent again, and the service tells a resend from a new command.
 *
 * <p>Every offset and length here is that of a payload: headers are the client's business.
 */
@NullMarked
package io.slipstream.service.client;

import org.jspecify.annotations.NullMarked;
