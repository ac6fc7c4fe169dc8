/**
 * What operators ask and tell a member, over TCP, one line each way.
 *
 * <pre>
 *   slipstream cluster ──▶ ControlClient ── "status" ──▶ ControlPort ──▶ MemberProcess ──▶ ClusterMember
 * </pre>
 *
 * <p>The member begins with a challenge. With a control token, the line of the operator begins with its proof of
 * knowing it: an HMAC-SHA256 of the challenge and the line. Without one, whoever reaches the port is an operator.
 */
@NullMarked
package io.slipstream.cluster.control;

import org.jspecify.annotations.NullMarked;
