/**
 * Whole services in a simulated world, the user's own included.
 *
 * <pre>
 *   Simulation ── seed ──▶ World ──▶ User ◀─▶ Workload    for each client
 *                            │         └──▶ ServiceClient ──────────────┐
 *                            │                                          ▼ SimulatedNetwork
 *                            ├──▶ ServiceProcess ──▶ Service ──▶ Witness ──▶ the user's machine
 *                            │                          └──▶ Journal ──▶ SimulatedDisk
 *                            └──▶ Disaster, Disaster, ...
 *   afterwards   History (what clients were told) ◀── compared ──▶ Witness of an independent replay
 * </pre>
 *
 * <dl>
 * <dt>life</dt><dd>what comes of one seed: disasters for a while, then calm, in which all must be answered</dd>
 * <dt>finding</dt><dd>a promise that was not kept</dd>
 * </dl>
 */
@NullMarked
package io.slipstream.sim.service;

import org.jspecify.annotations.NullMarked;
