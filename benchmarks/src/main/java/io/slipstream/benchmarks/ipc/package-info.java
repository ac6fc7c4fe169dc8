/**
 * Channels between processes beside Aeron IPC, TCP loopback, and C on the same layout.
 *
 * <pre>
 *   one way    publisher ─▶ subscriber           two ways   ping ─▶ pong
 *                                                                ◀─
 * </pre>
 *
 * Each part is a process of its own, which waits for a line on its standard input, does its part of one round, and says
 * what came out. All of one
 * system live as long as the contest; those of the other one sleep meanwhile. Aeron has a driver besides, in a process
 * of its own
 * ({@code ThreadingMode.SHARED}, which its authors recommend where processors are few).
 */
@NullMarked
package io.slipstream.benchmarks.ipc;

import org.jspecify.annotations.NullMarked;
