package io.slipstream.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The samples of all cases of an experiment on one JVM. */
public final class Findings {
    /** Between a metric and an x that a round gave it. */
    static final String AT = " @ ";

    private final Map<Key, Sample> samples = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private boolean disturbed;

    public Findings() {}

    private record Key(String series, String x, String metric) {}

    public Findings put(String series, Object x, String metric, Sample sample) {
        int at = metric.indexOf(AT);
        if (at >= 0) {
            return put(series, metric.substring(at + AT.length()), metric.substring(0, at), sample);
        }
        samples.put(new Key(series, String.valueOf(x), metric), sample);
        return this;
    }

    /** Notes that others used the machine while some case was measured. */
    public Findings putDisturbed() {
        disturbed = true;
        return this;
    }

    public boolean isDisturbed() {
        return disturbed;
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
        if (sample == null) {
            String name = String.valueOf(x).isEmpty() ? series : series + " / " + x;
            String whole = missing.getOrDefault(series + " / ", "it was not run");
            throw new Missing("No figure for " + name + ": " + missing.getOrDefault(series + " / " + x, whole) + ".");
        }
        return sample;
    }

    public @Nullable Sample find(String series, Object x, String metric) {
        return samples.get(new Key(series, String.valueOf(x), metric));
    }

    public Ratio ratio(String metric, String seriesA, Object xA, String seriesB, Object xB) {
        return Ratio.of(get(seriesA, xA, metric), get(seriesB, xB, metric));
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

    /** A verdict asked for a figure that is not there. */
    public static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }
}
