/**
 * The members of a cluster, over a log that stands for Aeron's.
 *
 * <pre>
 *   TallyClient ──▶ Member: ReplicatedService ── SimulatedTap ──▶ SimulatedLog ──▶ Member: Replicated
 *                     ▲                                             │
 *   ClusterStrikes ───┴── deaths, pauses, clocks ───────────────────┴── elections, cuts, what is lost on the way
 * </pre>
 *
 * <p>All that a member is but Aeron is the real thing. The log keeps what Raft promises: what is committed stays, at
 * the same place for all. What is not may be lost with its leader.
 */
@NullMarked
package io.slipstream.sim.cluster;

import org.jspecify.annotations.NullMarked;
