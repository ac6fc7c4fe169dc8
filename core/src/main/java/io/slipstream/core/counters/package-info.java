/**
 * Numbers that others can watch: a mapped file of counters, written with plain ordered stores by their owners.
 *
 * <pre>
 *   process ── Counters ── counters file ── CountersReader ── slipstream top
 *                                           └─ FlightCounters ── recordings of JDK Flight Recorder
 *      owner thread: counter.setRelease(n)      any process, also after the writer has died
 * </pre>
 *
 * Each value stands alone on its pair of cache lines, so that an owner is not slowed down by its neighbours. Creating
 * the file writes all of it, so that a full disk is an exception then and never a signal later.
 */
@NullMarked
package io.slipstream.core.counters;

import org.jspecify.annotations.NullMarked;
