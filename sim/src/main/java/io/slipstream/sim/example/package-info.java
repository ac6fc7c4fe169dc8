/**
 * A service to try a simulated world with.
 *
 * <pre>
 *   Shop::random ──▶ Shop   stock, sales, timers, news
 * </pre>
 */
@NullMarked
package io.slipstream.sim.example;

import org.jspecify.annotations.NullMarked;
