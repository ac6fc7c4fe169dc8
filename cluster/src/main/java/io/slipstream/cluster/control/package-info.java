/**
 * What operators ask and tell a member, over TCP, one line each way.
 *
 * <pre>
 *   slipstream cluster ──▶ ControlClient ── "status" ──▶ ControlPort ──▶ MemberProcess ──▶ ClusterMember
 * </pre>
 *
 * <p>It does not authenticate operators: only the members may reach the network that they share.
 */
@NullMarked
package io.slipstream.cluster.control;

import org.jspecify.annotations.NullMarked;
