/**
 * A service and its backup site in one world, from one seed.
 *
 * <pre>
 *   clients ──▶ primary ── journal push ──▶ backup ──▶ a service, once it was promoted
 *                 disk       network         disk
 * </pre>
 *
 * Each site is a process of its own on a machine of its own. Their threads block; a simulated process lets one of them
 * go on at a time.
 */
@NullMarked
package io.slipstream.sim.pair;

import org.jspecify.annotations.NullMarked;
