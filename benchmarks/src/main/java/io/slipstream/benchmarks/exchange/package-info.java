/**
 * The order book of the exchange example beside those of exchange-core.
 *
 * <p>The load is the one that exchange-core describes for its own benchmarks: one book, 3 million commands, about 9 %
 * limit orders, 3 % immediate-or-cancel orders, 6 % cancellations and 82 % moves to another price, of 1,000 users,
 * while about 1,000 orders rest at about 750 prices.
 */
@NullMarked
package io.slipstream.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
