package io.slipstream.http.monitor;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.CountersReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the counters of a service's process. A file that cannot be read is tried again; until then there are none. */
final class Watch implements AutoCloseable {
    /** How the owner of a cluster member's counters begins. */
    private static final String MEMBER = "member ";

    private final @Nullable Path file;
    private @Nullable CountersReader reader;
    private boolean closed;

    Watch(@Nullable Path file) {
        this.file = file;
    }

    /** Returns the counters as they are now; none if there is no file. */
    synchronized List<CounterValue> read() {
        if (file == null || closed) {
            return List.of();
        }
        try {
            CountersReader current = reader;
            if (current == null) {
                current = CountersReader.open(file);
                reader = current;
            }
            return current.read();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns what a member of a cluster counts of itself; nothing if the service is none. */
    Map<String, Long> member() {
        Map<String, Long> values = new LinkedHashMap<>();
        for (CounterValue each : read()) {
            if (each.owner().startsWith(MEMBER)) {
                values.put(each.label(), each.value());
            }
        }
        return values;
    }

    /** Returns them as metrics, of which each has the owner and the label of its counter. */
    MetricSnapshots metrics() {
        List<CounterValue> counters = read();
        Map<Labels, Long> totals = new LinkedHashMap<>();
        Map<Labels, Long> levels = new LinkedHashMap<>();
        for (CounterValue each : counters) {
            if (!CommitHistogram.has(each)) {
                Labels labels = Labels.of("owner", each.owner(), "label", each.label());
                // Two services of one process may have counters of the same names, but a metric only one of them.
                if (each.type().isTotal()) {
                    totals.merge(labels, each.value(), Long::sum);
                } else {
                    levels.merge(labels, each.value(), Math::max);
                }
            }
        }
        MetricSnapshots.Builder metrics = MetricSnapshots.builder();
        if (!totals.isEmpty()) {
            metrics.metricSnapshot(counter(totals));
        }
        if (!levels.isEmpty()) {
            metrics.metricSnapshot(gauge(levels));
        }
        HistogramSnapshot commits = CommitHistogram.of(counters);
        if (commits != null) {
            metrics.metricSnapshot(commits);
        }
        return metrics.build();
    }

    private static CounterSnapshot counter(Map<Labels, Long> totals) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder()
                .name(Metrics.named("count"))
                .help("Counts, and times in nanoseconds, since the service started.");
        totals.forEach((labels, value) -> counter.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(value)
                .build()));
        return counter.build();
    }

    private static GaugeSnapshot gauge(Map<Labels, Long> levels) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder()
                .name(Metrics.named("level"))
                .help("Depths, lags, capacities, positions and durations; 1 or 0 for what is so or not.");
        levels.forEach((labels, value) -> gauge.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(value)
                .build()));
        return gauge.build();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
