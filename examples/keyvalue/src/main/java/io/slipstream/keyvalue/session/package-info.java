/**
 * What clients hold besides keys, all of it bounded together.
 *
 * <pre>
 *   Channels ──▶ Subscriptions ──┐
 *   WATCH    ──▶ Watches       ──┼──▶ Holdings
 *   BLPOP    ──▶ Blocked       ──┘
 * </pre>
 */
@NullMarked
package io.slipstream.keyvalue.session;

import org.jspecify.annotations.NullMarked;
