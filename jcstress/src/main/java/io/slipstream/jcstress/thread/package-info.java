/** Proofs of the package {@code io.slipstream.core.thread}. */
package io.slipstream.jcstress.thread;
