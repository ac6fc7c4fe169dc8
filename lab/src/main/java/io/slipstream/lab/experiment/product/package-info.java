/**
 * Slipstream's own parts, beside what the articles report of the systems that they describe. They need the JDK that
 * Slipstream needs; no other experiment uses them, so that the lab runs on older JVMs.
 *
 * <pre>
 *   ring   shared memory   executor   huge list   codec
 *    P1         P2            P3          P4        P5
 * </pre>
 */
@NullMarked
package io.slipstream.lab.experiment.product;

import org.jspecify.annotations.NullMarked;
