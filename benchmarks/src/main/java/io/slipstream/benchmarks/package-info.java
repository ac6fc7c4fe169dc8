/**
 * Each part of Slipstream beside its peers, in one run.
 *
 * <pre>
 *   Suites -> Suite -> Comparison -> one JVM each: A B | B A A B B A ..   rounds
 *                                  |                    warm-up
 *                                  '-> {@link io.slipstream.benchmarks.Result} -> a line, a JSON object
 * </pre>
 *
 * A comparison runs in a JVM of its own, so that what one peer taught the compiler costs no other one. In it, rounds of
 * ours and the peer's alternate, in each round the other one begins, and garbage is collected before each round and
 * outside its time. Every round checks its own answer. No round is dropped; the median of all counts.
 *
 * <p>The ratio is always ours divided by the peer's. So the target of a throughput reads {@code >= 1.5}, and that of a
 * time reads {@code <= 0.9}. A comparison without a target only reports.
 *
 * <p>To add a suite: write a {@link io.slipstream.benchmarks.suite.Suite} and name it in {@link
 * io.slipstream.benchmarks.Suites}.
 */
@NullMarked
package io.slipstream.benchmarks;

import org.jspecify.annotations.NullMarked;
