/**
 * One member of a cluster: one process, or one of several in a test.
 *
 * <pre>
 *   clients ──▶ Gateway ──▶ input ring ──▶ Submitter ──▶ Ingress ──▶ the leader's log ──▶ Engine ──▶ Replicated
 *      ▲                                                                                              │
 *      └──────────────────────────── output ring ◀──────────────── Logic ◀────────────────────────────┘
 * </pre>
 *
 * <p>Clients may come to any member; all of it but the log is what a service on one machine has. A ReplicatedService
 * has all that is between the clients and the log, a ClusterMember that and the engine.
 */
@NullMarked
package io.slipstream.cluster.member;

import org.jspecify.annotations.NullMarked;
