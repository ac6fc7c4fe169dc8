/**
 * Aeron's parts of one member: everything that is set about them is here.
 *
 * <pre>
 *   Engine: LogStore ── ConsensusModule ── ClusteredServiceContainer ──▶ Applier ──▶ Replicated
 *   LogStore: MediaDriver ── Archive                      Replacement: LogStore ── ClusterBackup, before Engine
 *   Ingress: AeronCluster, the way to the leader          Housekeeping: snapshots, and trimming behind them
 * </pre>
 */
@NullMarked
package io.slipstream.cluster.engine;

import org.jspecify.annotations.NullMarked;
