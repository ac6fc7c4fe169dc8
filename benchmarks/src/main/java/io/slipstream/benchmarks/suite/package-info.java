/**
 * What a suite consists of: comparisons, each of which is a contest of ours and one of a peer's, in so many rounds.
 *
 * <pre>
 *   Suite ──▶ Comparison ──▶ Contest (ours), Contest (peer's)      each round answers with a figure of this Unit
 *                       └──▶ Plan                                  how many rounds, and how many to warm up
 * </pre>
 */
@NullMarked
package io.slipstream.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
