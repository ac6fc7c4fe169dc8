/**
 * A process on a machine of a simulated world.
 *
 * <pre>
 *   Service, ServiceClient ──▶ SimulatedHost ──▶ Schedule           time, which drifts and jumps
 *                                   │        ──▶ SimulatedNetwork   sockets
 *                                   │        ──▶ SimulatedStorage   files
 *                                   └──▶ SimulatedTask              the duties of a thread, in turns
 * </pre>
 */
@NullMarked
package io.slipstream.sim.host;

import org.jspecify.annotations.NullMarked;
