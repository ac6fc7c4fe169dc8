/**
 * A journal on a simulated disk: one seed decides what is appended, what fails and where the power goes, and a model
 * knows what must still be there.
 *
 * <pre>
 *   seed ──▶ life ──crash──▶ life ──crash──▶ ...       each life: open, compare with the model, append, commit, read
 *             │                │
 *             └──── model: what was appended, and how much of it was acknowledged ────┘
 * </pre>
 */
@NullMarked
package io.slipstream.sim.journal;

import org.jspecify.annotations.NullMarked;
