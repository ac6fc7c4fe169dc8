/** Proofs of the package {@code io.slipstream.core.ring}. */
package io.slipstream.jcstress.ring;
