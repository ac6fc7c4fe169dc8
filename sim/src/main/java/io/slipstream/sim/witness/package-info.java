/**
 * What stands between a service and the user's machine, and remembers all that passes.
 *
 * <pre>
 *   Service ──▶ Witness ──▶ the user's machine
 *                  │  ◀── WitnessedOutput ◀──┘
 *                  ├──▶ Applied, Item: what was done, a part of the state
 *                  └──▶ Findings: the first promise that was broken
 * </pre>
 */
@NullMarked
package io.slipstream.sim.witness;

import org.jspecify.annotations.NullMarked;
