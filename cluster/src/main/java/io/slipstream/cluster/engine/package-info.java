/**
 * Aeron's parts of one member: everything that is set about them is here.
 *
 * <pre>
 *   Engine: MediaDriver ── Archive ── ConsensusModule ── ClusteredServiceContainer ──▶ Replicated
 *   Ingress: AeronCluster, the way to the leader          Housekeeping: snapshots, and trimming behind them
 * </pre>
 */
@NullMarked
package io.slipstream.cluster.engine;

import org.jspecify.annotations.NullMarked;
