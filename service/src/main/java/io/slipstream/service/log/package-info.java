/**
 * The stage between gateway and logic: it makes durable what the gateway accepted.
 *
 * <pre>
 *   input ring ──▶ {@link io.slipstream.service.log.JournalStage} ──▶ journal: one write and one force a batch
 *                       └── wakes the logic, which follows behind in the same ring
 * </pre>
 */
@NullMarked
package io.slipstream.service.log;

import org.jspecify.annotations.NullMarked;
