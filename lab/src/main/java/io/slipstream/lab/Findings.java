package io.slipstream.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The samples of all cases of an experiment on one JVM. */
public final class Findings {
    /** A metric that the lab adds: the time of a round trip between two processors while a case was measured. */
    public static final String DISTANCE = "distance ns";

    /** Before the metrics that the lab adds where {@code perf} is allowed: events of a round, such as cycles. */
    public static final String COUNTED = "counted ";

    /** Between a metric and an x that a round gave it. */
    public static final String AT = " @ ";

    private static final Pattern TIME = Pattern.compile("(.* )?(ns|µs|ms|s)(/.*)?");

    private final Map<Key, Sample> samples = new LinkedHashMap<>();
    private final Map<Place, String> jvms = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final Set<Place> disturbed = new LinkedHashSet<>();
    private boolean usedDisturbed;
    private double allowance = 1;
    private int threads = 1;
    private long lastLevelCacheBytes;

    public Findings() {}

    private record Key(String series, String x, String metric) {}

    /** A case, or the x of one whose rounds give their metrics an x. */
    private record Place(String series, String x) {}

    public Findings put(String series, Object x, String metric, Sample sample) {
        int at = metric.indexOf(AT);
        if (at >= 0) {
            return put(series, metric.substring(at + AT.length()), metric.substring(0, at), sample);
        }
        samples.put(new Key(series, String.valueOf(x), metric), sample);
        return this;
    }

    /** Whether an experiment measured it, and not the lab beside it. */
    public static boolean isOwn(String metric) {
        return !metric.equals(DISTANCE) && !metric.startsWith(COUNTED);
    }

    /** Whether more of it is faster. */
    public static boolean isRate(String metric) {
        return metric.endsWith("/s");
    }

    /** Whether less of it is faster. */
    public static boolean isTime(String metric) {
        return TIME.matcher(metric).matches();
    }

    /** Notes that others used the machine while a case was measured. */
    public Findings putDisturbed(String series, Object x) {
        disturbed.add(new Place(series, String.valueOf(x)));
        return this;
    }

    /** Whether others used the machine while the case of a figure was measured. */
    public boolean isDisturbed(String series, Object x) {
        return disturbed.contains(new Place(series, String.valueOf(x))) || disturbed.contains(new Place(series, ""));
    }

    /** Whether a figure that was {@linkplain #get asked for} since the last call was disturbed. */
    boolean takeUsedDisturbed() {
        boolean used = usedDisturbed;
        usedDisturbed = false;
        return used;
    }

    /**
     * The claims of an experiment, each judged for itself: one whose figures are missing cannot be told, nor can one
     * that asked for a figure that was disturbed, whatever becomes of the others. The verdict on all is that of {@link
     * Verdict#all}, and says which hold.
     */
    public Verdict claims(Claim... claims) {
        return claims(List.of(claims));
    }

    /** As {@link #claims(Claim...)}. */
    public Verdict claims(List<Claim> claims) {
        List<Verdict> judged = new ArrayList<>();
        for (Claim claim : claims) {
            takeUsedDisturbed();
            Verdict verdict;
            try {
                verdict = claim.judge();
                if (usedDisturbed) {
                    verdict = verdict.disturbed();
                }
            } catch (Missing missing) {
                verdict = Verdict.cannotTell(String.valueOf(missing.getMessage()));
            }
            judged.add(verdict);
        }
        takeUsedDisturbed();
        return Verdict.claims(judged);
    }

    /** Notes on which JVM a case was measured; nothing is noted for a program in C++. */
    public Findings putJvm(String series, Object x, String jvm) {
        jvms.put(new Place(series, String.valueOf(x)), jvm);
        return this;
    }

    private @Nullable String jvm(String series, Object x) {
        return jvms.getOrDefault(new Place(series, String.valueOf(x)), jvms.get(new Place(series, "")));
    }

    /** Notes how many threads a case kept busy. */
    public Findings putThreads(int busy) {
        threads = Math.max(threads, busy);
        return this;
    }

    /** The most threads that a case kept busy. */
    int threads() {
        return threads;
    }

    /** Notes the size of the machine's last-level cache; 0 if it is unknown. */
    public Findings putLastLevelCache(long bytes) {
        lastLevelCacheBytes = bytes;
        return this;
    }

    public long lastLevelCacheBytes() {
        return lastLevelCacheBytes;
    }

    /** Notes what was not as it should be while some case was measured. */
    public Findings putWarning(String warning) {
        warnings.add(warning);
        return this;
    }

    public Set<String> warnings() {
        return warnings;
    }

    /** Widens every {@linkplain #range range} and that of every {@linkplain #ratio ratio} in both directions. */
    Findings allow(double factor) {
        allowance = factor;
        return this;
    }

    /** Notes why a case has no figures. */
    public Findings putMissing(String series, Object x, String reason) {
        missing.put(series + " / " + x, reason);
        return this;
    }

    /**
     * The sample of a metric.
     *
     * @throws Missing when the case was not run or failed; {@link Judge} turns that into a verdict
     */
    public Sample get(String series, Object x, String metric) {
        Sample sample = find(series, x, metric);
        usedDisturbed |= isDisturbed(series, x);
        if (sample == null) {
            boolean ran = samples.keySet().stream().anyMatch(k -> k.series.equals(series));
            String why = ran ? "'" + metric + "' could not be measured here" : "it was not run";
            String whole = missing.getOrDefault(series + " / ", why);
            throw new Missing(
                    "No figure for " + name(series, x) + ": " + missing.getOrDefault(series + " / " + x, whole) + ".");
        }
        return sample;
    }

    private static String name(String series, Object x) {
        return String.valueOf(x).isEmpty() ? series : series + " / " + x;
    }

    public @Nullable Sample find(String series, Object x, String metric) {
        return samples.get(new Key(series, String.valueOf(x), metric));
    }

    /**
     * A figure that is compared with a fixed limit, or with one of another experiment.
     *
     * @throws Missing as {@link #get}
     */
    public Range range(String series, Object x, String metric) {
        return Range.of(get(series, x, metric)).widened(allowance);
    }

    /**
     * Round by round, with the distance of the processors in mind where the threads of the cases meet.
     *
     * @throws Missing as {@link #get}, and when the two were measured on different JVMs
     */
    public Ratio ratio(String metric, String seriesA, Object xA, String seriesB, Object xB) {
        Sample a = get(seriesA, xA, metric);
        Sample b = get(seriesB, xB, metric);
        String jvmA = jvm(seriesA, xA);
        String jvmB = jvm(seriesB, xB);
        if (jvmA != null && jvmB != null && !jvmA.equals(jvmB)) {
            throw new Missing(name(seriesA, xA) + " was measured on " + jvmA + " and " + name(seriesB, xB) + " on "
                    + jvmB
                    + ", so their ratio says nothing.");
        }
        if (a.size() != b.size()) {
            return Ratio.of(a, b).widened(allowance);
        }
        Sample distanceA = distance(seriesA, xA);
        Sample distanceB = distance(seriesB, xB);
        double[] moved = new double[a.size()];
        for (int i = 0; i < moved.length; i++) {
            double farther = distanceA == null || distanceB == null || i >= Math.min(distanceA.size(), distanceB.size())
                    ? 1
                    : distanceA.values().get(i) / distanceB.values().get(i);
            // Times grow with the distance, and rates fall.
            moved[i] = metric.contains("/s") ? 1 / farther : farther;
        }
        return Ratio.byRound(a, b, moved).widened(allowance);
    }

    /** That of the case: of its own x, or of the whole series where the rounds gave their metrics an x. */
    private @Nullable Sample distance(String series, Object x) {
        Sample own = find(series, x, DISTANCE);
        return own == null ? find(series, "", DISTANCE) : own;
    }

    /** For cases without an x. */
    public Ratio ratio(String metric, String seriesA, String seriesB) {
        return ratio(metric, seriesA, "", seriesB, "");
    }

    public List<String> series(String metric) {
        Set<String> found = new LinkedHashSet<>();
        samples.keySet().stream().filter(k -> k.metric.equals(metric)).forEach(k -> found.add(k.series));
        return new ArrayList<>(found);
    }

    public List<String> xs(String metric) {
        Set<String> found = new LinkedHashSet<>();
        samples.keySet().stream().filter(k -> k.metric.equals(metric)).forEach(k -> found.add(k.x));
        return new ArrayList<>(found);
    }

    public List<String> metrics() {
        return samples.keySet().stream().map(Key::metric).distinct().toList();
    }

    public boolean isEmpty() {
        return samples.isEmpty();
    }

    public Map<String, String> missing() {
        return missing;
    }

    /** One claim of several. */
    @FunctionalInterface
    public interface Claim {
        /**
         * The verdict on it.
         *
         * @throws Missing as {@link Findings#get}
         */
        Verdict judge();
    }

    /** A verdict asked for a figure that is not there. */
    public static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }
}
