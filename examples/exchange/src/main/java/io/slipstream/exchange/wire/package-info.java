/**
 * What clients say to the exchange and hear from it: fixed layouts inside the payload of a service's messages.
 *
 * <p>All numbers are little-endian and signed; {@code .} is a byte that is written as 0 and not read. The first two
 * bytes are the {@link io.slipstream.exchange.wire.WireType}, which decides the length. A layout never changes: a new
 * one gets a new type. Enums travel as numbers of their own, listed with each enum or code class.
 *
 * <pre>
 *  commands      0      2    3    4            8          16         24         32
 *                +------+----+----+------------+----------+----------+----------+
 *  PLACE         | type |side|kind| instrument | order id | price    | quantity |
 *                +------+----+----+------------+----------+----------+----------+
 *  CANCEL        | type | .  | .  | instrument | order id |
 *                +------+----+----+------------+----------+----------+----------+
 *  REPLACE       | type | .  | .  | instrument | order id | price    | quantity |
 *                +------+----+----+------------+----------+----------+----------+
 *
 *  reply to any  0      2    3    4            8          16         24          32
 *                +------+----+----+------------+----------+----------+-----------+
 *  REPLY         | type |stat|why | instrument | order id | filled   | remaining |
 *                +------+----+----+------------+----------+----------+-----------+
 *                 stat: {@link OrderStatus}   why: {@link Rejection}, 0 if not refused
 *
 *  events        0      2    3    4            8          16         24          32         40          48
 *                +------+----+----+------------+----------+----------+-----------+----------+-----------+
 *  TRADE         | type |role|side| instrument | order id | trade id | price     | quantity | remaining |
 *                +------+----+----+------------+----------+----------+-----------+----------+-----------+
 *  UPDATE        | type |what|side| instrument | order id | price    | remaining |
 *                +------+----+----+------------+----------+----------+-----------+
 *                 role: {@link Role}   what: {@link OrderChange}
 *
 *  queries       0      2         4            8          16
 *                +------+---------+------------+----------+
 *  TOP_QUERY     | type |   .     | instrument |
 *                +------+---------+------------+----------+
 *  DEPTH_QUERY   | type | levels  | instrument |
 *                +------+---------+------------+----------+
 *  ORDER_QUERY   | type |   .     |     .      | order id |
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
 *                  bids, asks: how many levels, 4 bytes each      level: price (8), quantity (8), orders (4), . (4)
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
