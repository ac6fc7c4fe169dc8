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
 * replays the log through a new machine and compares the state behind every entry.
 */
@NullMarked
package io.slipstream.service.testing;

import org.jspecify.annotations.NullMarked;
