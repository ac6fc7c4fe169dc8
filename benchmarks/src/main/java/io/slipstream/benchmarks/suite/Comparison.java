package io.slipstream.benchmarks.suite;

import org.jspecify.annotations.Nullable;

/**
 * One question: how does ours compare with this peer?
 *
 * @param name what is measured, as it stands in the report
 * @param peerName the peer with its version
 * @param target the bar for ours divided by the peer's, or null to report only
 * @param plan how often to measure
 * @param preparation makes the contest ready; its time does not count
 */
public record Comparison(
        String name, Unit unit, String peerName, @Nullable Double target, Plan plan, Preparation preparation) {
    /** Makes a contest ready: generates its data, opens its files. */
    @FunctionalInterface
    public interface Preparation {
        /** Makes it ready, once in each JVM. */
        Contest prepare() throws Exception;
    }
}
