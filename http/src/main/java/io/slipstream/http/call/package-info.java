/**
 * The way from a gateway to its service: the native protocol, over one connection for all that has no idempotency key,
 * and one for each session of those that have, all on one thread.
 *
 * <pre>
 *                        ┌─ no key ──▶ ServiceClient ──────────────┐
 *   request ──▶ Backend ─┤                                         ├──▶ service
 *                        └─ desk-7/42 ▶ SessionPool ▶ ServiceClient┘    session hash("desk-7"), correlation 42
 * </pre>
 *
 * <p>The service remembers in its log which correlations of a session were applied. So a request that is repeated with
 * its key is answered once and applied once, also across a restart of gateway and service.
 */
@NullMarked
package io.slipstream.http.call;

import org.jspecify.annotations.NullMarked;
