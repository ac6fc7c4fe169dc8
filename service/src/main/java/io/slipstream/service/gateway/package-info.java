/**
 * The border: sockets on one side, rings on the other, one thread, nothing that blocks. Where one thread does not do,
 * there are several gateways: see {@link io.slipstream.service.gateway.Gateways}.
 *
 * <pre>
 *   Reception: Listener ──accept──▶ Gateways ──in turn──▶ Gateway: Connections
 *   sockets ──read──▶ Connection ──frames──▶ Intake ── PendingLimit ──yes──▶ input ring
 *                          ▲                              └──no───▶ BUSY, with a time to come back
 *   sockets ◀──write──  Connection  ◀──frames── output ring
 *                          └── Buffers: room for what clients leave unread, bounded for all of them together
 * </pre>
 *
 * The gateway checks what it can without knowing the business: the form of frames, versions, lengths, and whether there
 * is room. A client that does not read its outputs is first not read from, then disconnected; it delays nobody else.
 */
@NullMarked
package io.slipstream.service.gateway;

import org.jspecify.annotations.NullMarked;
