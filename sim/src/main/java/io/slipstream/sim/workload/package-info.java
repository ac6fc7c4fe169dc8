/**
 * What the clients of a simulated service do: {@link io.slipstream.sim.workload.Commands} make up one command after the
 * other, a {@link io.slipstream.sim.workload.Workload} remembers what it has heard.
 */
@NullMarked
package io.slipstream.sim.workload;

import org.jspecify.annotations.NullMarked;
