/**
 * A whole cluster in one JVM, for tests.
 *
 * <pre>
 *   Grid ──▶ Node 0, 1, 2: a ClusterMember each, in folders that are removed, on ports that are free
 *              └── Faults: paused, slow, mute, deaf
 * </pre>
 */
@NullMarked
package io.slipstream.cluster.grid;

import org.jspecify.annotations.NullMarked;
