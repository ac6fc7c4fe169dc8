/**
 * How other languages than the native protocol are spoken: bytes to commands, and messages back to bytes.
 *
 * <pre>
 *   socket ──bytes──▶ Conversation.decode ──▶ Requests ──▶ journal, then logic
 *   socket ◀──bytes── Responses ◀── Conversation.encode ◀── messages of the service
 * </pre>
 *
 * <dl>
 * <dt>{@link io.slipstream.service.spi.Protocol}</dt><dd>a language; one object for a service</dd>
 * <dt>{@link io.slipstream.service.spi.Conversation}</dt><dd>what is said with one client; one object a connection</dd>
 * <dt>{@link io.slipstream.service.spi.Requests}</dt><dd>what a client may ask a service for</dd>
 * <dt>{@link io.slipstream.service.spi.Responses}</dt><dd>the bytes that the client gets</dd>
 * <dt>{@link io.slipstream.service.spi.LogGate}</dt><dd>holds the log back until somebody else has it, too</dd>
 * <dt>{@link io.slipstream.service.spi.SiteFile}</dt><dd>what a folder is in a pair of sites</dd>
 * </dl>
 *
 * The gateway keeps sockets, buffers, limits and sessions; a protocol keeps nothing but the language. It runs on the
 * gateway's thread, must not block, and sees memory only during a call.
 */
@NullMarked
package io.slipstream.service.spi;

import org.jspecify.annotations.NullMarked;
