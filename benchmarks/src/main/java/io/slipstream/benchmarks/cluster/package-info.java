/**
 * Three members of a cluster and a client, in one JVM, beside three of another Raft.
 *
 * <pre>
 *   client ──TCP──▶ SlipstreamReplicas      beside   client ──gRPC──▶ RatisReplicas
 *                                                    JRaftReplicas: called in the leader, without a client
 *                                                    client ──UDP──▶ AeronReplicas: an echo
 * </pre>
 */
@NullMarked
package io.slipstream.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
