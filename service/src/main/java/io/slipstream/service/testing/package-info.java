/**
 * Tests of a state machine without threads, sockets, disk or clock.
 *
 * <pre>
 *   TestClient ──call──▶ TestService ──▶ TestLog ──▶ Logic ──▶ your machine
 *      replies, events, items ◀──────────────────────┘│
 *                                                     └── the same one that a service runs: sessions, timers,
 *                                                         topics, random numbers, exactly-once, save and load
 * </pre>
 *
 * <p>Every call is done when it returns. Time stands still unless it is moved; timers fire on the way. A restart
 * replays the log through a new machine and compares the state behind every entry, and what the runtime remembers of
 * sessions, timers and topics. Queries and subscriptions must leave the state as it is.
 */
@NullMarked
package io.slipstream.service.testing;

import org.jspecify.annotations.NullMarked;
