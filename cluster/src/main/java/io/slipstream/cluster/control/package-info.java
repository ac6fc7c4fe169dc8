/**
 * What operators ask and tell a member, over TCP, one line each way.
 *
 * <pre>
 *   slipstream cluster ──▶ ControlClient ── "status" ──▶ ControlPort ──▶ MemberProcess ──▶ ClusterMember
 * </pre>
 *
 * <p>Nobody is asked who they are: the network that the members share must be one that nobody else reaches.
 */
@NullMarked
package io.slipstream.cluster.control;

import org.jspecify.annotations.NullMarked;
