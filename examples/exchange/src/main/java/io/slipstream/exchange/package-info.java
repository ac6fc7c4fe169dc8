/**
 * A limit order book exchange, as an example of a service's logic: single-threaded, deterministic, free of garbage.
 *
 * <pre>
 *   commands                  {@link Exchange}                 events
 *   place, cancel, replace -> instrument -> {@link OrderBook} -> {@link BookListener}
 *                                             |
 *                          bids               |               asks
 *                   104  103 .. 100           |         105  107  108 ..        price levels, best first
 *                    |    |      |            |          |    |    |
 *                    #    #      #            |          #    #    #            orders, oldest first
 *                         #                   |          #
 * </pre>
 *
 * <dl>
 * <dt>owner</dt><dd>who placed an order, such as a client's session; order ids are the owner's own</dd>
 * <dt>side</dt><dd>buyers (bids) or sellers (asks)</dd>
 * <dt>resting</dt><dd>an order in the book, waiting for a counterpart</dd>
 * <dt>maker, taker</dt><dd>the order that rested, and the one that arrived and traded with it</dd>
 * <dt>touch</dt><dd>the best bid and the best ask; a book is never crossed: the best bid is below the best ask</dd>
 * <dt>level</dt><dd>all resting orders of one side and one price</dd>
 * <dt>depth</dt><dd>the levels of a side with their quantities</dd>
 * </dl>
 */
@NullMarked
package io.slipstream.exchange;

import org.jspecify.annotations.NullMarked;
