/**
 * Requests and responses.
 *
 * <pre>
 *   Router ──▶ Access, RateLimit ──▶ Operations ──▶ Backend      JSON in, JSON out
 *                                ├─▶ Feeds       ──▶ Backend      server-sent events
 *                                └─▶ Pages                        documents, pictures of what goes on
 * </pre>
 *
 * <p>Whatever is not answered with what was asked for is a {@link io.slipstream.http.web.Problem}.
 */
@NullMarked
package io.slipstream.http.web;

import org.jspecify.annotations.NullMarked;
