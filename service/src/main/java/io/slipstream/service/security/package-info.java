/**
 * Who a client is, and what it may do.
 *
 * <pre>
 *   socket ──TLS 1.3──▶ HELLO with token ──▶ {@link io.slipstream.service.security.Authenticator}
 *             certificate ──────────────────▶        │ Identity, or why not
 *                                                     ▼
 *   COMMAND, QUERY ... ──▶ Rights ──▶ ClientLimits ──▶ log: HELLO with the principal, never with the token
 * </pre>
 *
 * <p>Vocabulary. <b>Credentials</b> are what a client shows: a token, a certificate, or both. The <b>principal</b> is
 * the name of who it is; a session belongs to it for ever, so a stolen session key is worth nothing to anybody else.
 * Logins and refusals are told to {@link io.slipstream.service.security.Audit}.
 */
@NullMarked
package io.slipstream.service.security;

import org.jspecify.annotations.NullMarked;
