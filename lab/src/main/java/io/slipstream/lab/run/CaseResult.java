package io.slipstream.lab.run;

import io.slipstream.lab.Findings;
import io.slipstream.lab.run.quiet.Calm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a case gave on one JVM, all forks and rounds together.
 *
 * @param jvm the {@linkplain Jvm#name name} of the JVM, or the compiler of a twin
 * @param samples metric to its values, one for each round
 * @param calm the worst calm of its forks
 * @param roundMillis how long JMH let a round take; 0 where a round has a certain amount of work instead
 * @param threads how many threads its rounds kept busy
 * @param repeated forks that were thrown away because the machine was disturbed
 * @param warning what was not as it should be, otherwise null
 * @param missing why there are no samples, otherwise null
 */
public record CaseResult(
        String series,
        String x,
        String jvm,
        List<String> flags,
        Map<String, List<Double>> samples,
        Calm calm,
        int roundMillis,
        int threads,
        int repeated,
        @Nullable String warning,
        @Nullable String missing) {
    /** Fewer rounds show no direction. */
    private static final int FEW = 3;

    /** What the last round of a fork is faster than its first where there is a direction, and not only noise. */
    private static final double UNSETTLED = 1.15;

    static CaseResult missing(String series, String x, String jvm, List<String> flags, String reason) {
        return new CaseResult(series, x, jvm, flags, Map.of(), Calm.UNKNOWN, 0, 1, 0, null, reason);
    }

    /** A metric at an x, with its value in each round. */
    public record Measured(String metric, String x, List<Double> values) {}

    /** The samples by metric and x: the x of the case, or the one that the rounds gave their metric. */
    public List<Measured> measured() {
        List<Measured> measured = new ArrayList<>();
        samples.forEach((metric, values) -> {
            int at = metric.indexOf(Findings.AT);
            measured.add(
                    at < 0
                            ? new Measured(metric, x, values)
                            : new Measured(
                                    metric.substring(0, at), metric.substring(at + Findings.AT.length()), values));
        });
        return measured;
    }

    /** How many rounds there are of all forks together. */
    public int rounds() {
        return samples.values().stream().mapToInt(List::size).max().orElse(0);
    }

    /** This result with one more metric, the same in every round. */
    CaseResult with(String metric, double value) {
        Map<String, List<Double>> more = new LinkedHashMap<>(samples);
        more.put(metric, Collections.nCopies(rounds(), value));
        return new CaseResult(series, x, jvm, flags, more, calm, roundMillis, threads, repeated, warning, missing);
    }

    /** This result with the rounds of another fork. */
    CaseResult plus(CaseResult fork) {
        if (missing != null) {
            return this;
        }
        if (fork.missing != null) {
            return fork;
        }
        Map<String, List<Double>> together = new LinkedHashMap<>();
        samples.forEach((metric, values) -> together.put(metric, new ArrayList<>(values)));
        fork.samples.forEach((metric, values) ->
                together.computeIfAbsent(metric, m -> new ArrayList<>()).addAll(values));
        return new CaseResult(
                series,
                x,
                jvm,
                flags,
                together,
                calm.worse(fork.calm),
                roundMillis,
                Math.max(threads, fork.threads),
                repeated + fork.repeated,
                warning == null ? fork.warning : warning,
                null);
    }

    /** This result, in place of that of a fork that was disturbed; or that one, where this has no figures. */
    CaseResult inPlaceOf(CaseResult disturbed) {
        return missing != null
                ? disturbed.warned("it could not be repeated: " + missing)
                : new CaseResult(
                        series,
                        x,
                        jvm,
                        flags,
                        samples,
                        calm,
                        roundMillis,
                        threads,
                        disturbed.repeated + 1,
                        warning,
                        null);
    }

    /**
     * This result, with a warning where its times and rates, taken together, got better from round to round in every
     * fork, as they do while code is still being compiled.
     *
     * @param roundsOfAFork how many values of a metric belong to one fork
     */
    CaseResult markedIfUnsettled(int roundsOfAFork) {
        return gotFaster(roundsOfAFork) ? warned("figures got better from round to round") : this;
    }

    private boolean gotFaster(int roundsOfAFork) {
        double[] speeds = speeds();
        if (roundsOfAFork < FEW || speeds.length < 2 * roundsOfAFork) {
            return false;
        }
        for (int round = 1; round < speeds.length; round++) {
            int inItsFork = round % roundsOfAFork;
            if (inItsFork > 0 && speeds[round] <= speeds[round - 1]
                    || inItsFork == roundsOfAFork - 1 && speeds[round] < UNSETTLED * speeds[round - inItsFork]) {
                return false;
            }
        }
        return true;
    }

    /** How fast each round was, by the geometric mean of its times and rates; empty if there are none. */
    private double[] speeds() {
        int rounds = rounds();
        List<Measured> telling = measured().stream()
                .filter(m -> Findings.isOwn(m.metric()) && m.values().size() == rounds)
                .filter(m -> Findings.isRate(m.metric()) || Findings.isTime(m.metric()))
                .filter(m -> m.values().stream().allMatch(value -> value > 0))
                .toList();
        return IntStream.range(0, telling.isEmpty() ? 0 : rounds)
                .mapToDouble(round -> Math.exp(telling.stream()
                        .mapToDouble(m -> (Findings.isRate(m.metric()) ? 1 : -1)
                                * Math.log(m.values().get(round)))
                        .average()
                        .orElse(0)))
                .toArray();
    }

    /** This result with something more that was not as it should be. */
    CaseResult warned(String more) {
        return new CaseResult(
                series,
                x,
                jvm,
                flags,
                samples,
                calm,
                roundMillis,
                threads,
                repeated,
                warning == null ? more : warning + "; " + more,
                missing);
    }
}
