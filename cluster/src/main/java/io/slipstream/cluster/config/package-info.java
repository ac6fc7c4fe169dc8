/**
 * How a cluster is set up.
 *
 * <pre>
 *   members.properties ──▶ Members: MemberAddress 0, 1, 2 ──▶ ClusterConfig ◀── ServiceConfig: clients, limits, folder
 *                                                                  ▲
 *                                                             Disturbance: what a test does to one member
 * </pre>
 */
@NullMarked
package io.slipstream.cluster.config;

import org.jspecify.annotations.NullMarked;
