/**
 * The client of the exchange: orders and queries as methods, replies and events as values or as calls of a listener.
 *
 * <pre>
 *   place, cancel, replace ──▶ OrderResult                                     blocks for the reply
 *   placeAsync, ...        ──▶ CompletableFuture of OrderResult
 *   offerPlace, ...        ──▶ ExchangeListener.onReply(attachment, ...)        allocates nothing
 *   topOfBook, depth, order ─▶ TopOfBook, Depth, RestingOrder
 *
 *                              ExchangeListener.onTrade, onUpdate              whatever happens to one's orders
 * </pre>
 */
@NullMarked
package io.slipstream.exchange.client;

import org.jspecify.annotations.NullMarked;
