/**
 * Proofs of memory ordering, by jcstress, on the production classes.
 *
 * <p>Classes whose names begin with {@code Broken} are twins that are wrong on purpose: the run must find their
 * forbidden outcomes, or it proves nothing about the others. {@code jcstress/run} runs all, {@code mvn verify} a short
 * selection. Every test has two actors, so that it runs on two processors.
 */
package io.slipstream.jcstress;
