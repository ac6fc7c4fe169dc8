/**
 * The exchange as the logic of a service: decodes commands and queries, asks the books, and tells the owners.
 *
 * <pre>
 *   Command ──▶ ExchangeStateMachine ──▶ Exchange (books) ──▶ ExecutionReports ──▶ events to both sides, then the reply
 *                        │
 *   query ──────▶ QueryAnswers ──────── reads the books ─────────────────────────▶ answer
 *                        │
 *   session ends ▶ OrdersByOwner ─────── cancels what it has resting
 * </pre>
 *
 * <p>The owner of an order is the session that placed it. What is sent, and how it is laid out, is drawn in
 * {@link io.slipstream.exchange.wire}.
 */
@NullMarked
package io.slipstream.exchange.service;

import org.jspecify.annotations.NullMarked;
