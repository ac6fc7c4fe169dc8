/**
 * Back pressure as pieces: how much may wait, how full it is, and when to come back. A service uses them; so can
 * anybody who fills a ring.
 *
 * <pre>
 *   offered ──▶ {@link io.slipstream.service.pressure.PendingLimit} ──room──▶ ring ──▶ worker ──▶ processed
 *                    │        ▲                                                          │
 *                    │        └─────────── rate, measured while there is work ◀──────────┘
 *                    └─no room──▶ refuse, with a time to come back
 *   state machine ──took──▶ {@link io.slipstream.service.pressure.CommandTimes}
 *                    └──▶ {@link io.slipstream.service.pressure.Workload}: how long what waits is likely to take
 *                    └──▶ {@link io.slipstream.service.pressure.Inflow}: what waits, of one gateway and of all
 *   depth, limit ──▶ {@link io.slipstream.service.pressure.PressureGauge} ──▶ NORMAL, ELEVATED, SHEDDING, FULL
 * </pre>
 */
@NullMarked
package io.slipstream.service.pressure;

import org.jspecify.annotations.NullMarked;
