/**
 * What clients say to the exchange and hear from it: the payload of a service's messages.
 *
 * <p>All numbers are little-endian and signed. The first two bytes are the
 * {@link io.slipstream.exchange.wire.WireType}.
 *
 * <p>Commands, the reply to them, and events are values of {@code io.slipstream.data}: the interface of each is its
 * schema, and {@code CODEC} reads and writes it. {@link io.slipstream.exchange.wire.CommandWriter} writes commands
 * without garbage.
 *
 * <pre>
 *  any           0      2         4       6             8
 *                +------+---------+-------+-------------+------------------------ - -
 *                | type | version | bytes | fingerprint | fields in their order, without gaps
 *                +------+---------+-------+-------------+------------------------ - -
 * </pre>
 *
 * <p>Queries and their answers are not in the log and have fixed layouts; {@code .} is a byte that is written as 0 and
 * not read.
 *
 * <pre>
 *  queries       0      2         4            8          16
 *                +------+---------+------------+----------+
 *  TOP_QUERY     | type |   .     | instrument |
 *                +------+---------+------------+----------+
 *  DEPTH_QUERY   | type | levels  | instrument |
 *                +------+---------+------------+----------+
 *  ORDER_QUERY   | type |   .     |     .      | order id |
 *                +------+---------+------------+----------+
 *  TRADES_QUERY  | type | trades  | instrument | after    |
 *                +------+---------+------------+----------+
 *
 *  answers       0      2         4            8           16             24          32             40
 *                +------+---------+------------+-----------+--------------+-----------+--------------+
 *  TOP           | type |   .     | instrument | bid price | bid quantity | ask price | ask quantity |
 *                +------+----+----+------------+-----------+--------------+-----------+--------------+
 *  ORDER         | type |side|kind| instrument | order id  | price        | quantity  | remaining    |
 *                +------+----+----+------------+-----------+--------------+-----------+--------------+
 *  DEPTH         | type | .  | .  | instrument | bids asks | levels of 24 bytes: bids, then asks, best first
 *                +------+----+----+------------+-----------+-------- - -
 *  TRADES        | type |   .     | instrument | count  .  | trades of 32 bytes: oldest first
 *                +------+---------+------------+-----------+-------- - -
 *                  bids, asks: how many levels, 4 bytes each      level: price (8), quantity (8), orders (4), . (4)
 *                  trade: number (8), price (8), quantity (8), side of the order that arrived (1), . (7)
 * </pre>
 *
 * <p>A command or query that cannot be decoded, or that the exchange refuses, is answered with a REPLY that says why.
 * Events report what a command causes; they come before its reply.
 *
 * <dl>
 * <dt>side</dt><dd>{@link io.slipstream.exchange.wire.SideCode}: of the order that the message is about</dd>
 * <dt>kind</dt><dd>{@link io.slipstream.exchange.wire.OrderTypeCode}</dd>
 * <dt>order id</dt><dd>chosen by the client, unique among its resting orders</dd>
 * <dt>owner</dt><dd>the session; nobody sees or touches an order of another owner</dd>
 * </dl>
 */
@NullMarked
package io.slipstream.exchange.wire;

import org.jspecify.annotations.NullMarked;
