package io.slipstream.http.monitor;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.slipstream.http.web.Requests;
import io.slipstream.service.typed.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The requests that were answered: how many by kind and status, and how long commands and queries took. */
public final class Answered implements Requests {
    private static final String[] KINDS = {"command", "other", "query"};
    private static final int STATUSES = 600;

    private final Counter requests = Counter.builder()
            .name(Metrics.named("http_requests"))
            .help("Requests that were answered.")
            .labelNames("kind", "status")
            .withoutExemplars()
            .build();
    private final Histogram times = Metrics.durations(
                    "http_request_seconds", "Time from a request's header to the end of its response.")
            .labelNames("kind")
            .build();

    /* By kind and status; made with the first answer of each, since finding one by its labels makes garbage. */
    private final AtomicReferenceArray<CounterDataPoint> counts = new AtomicReferenceArray<>(KINDS.length * STATUSES);
    private final DistributionDataPoint commands = times.labelValues("command");
    private final DistributionDataPoint queries = times.labelValues("query");

    @Override
    public void done(Operation.@Nullable Kind kind, int status, long nanos) {
        int index = index(kind == null ? 1 : kind == Operation.Kind.COMMAND ? 0 : 2, status);
        CounterDataPoint count = counts.getAcquire(index);
        (count == null ? first(index) : count).inc();
        if (kind != null) {
            (kind == Operation.Kind.COMMAND ? commands : queries).observe(nanos / Metrics.SECOND_NANOS);
        }
    }

    private static int index(int kind, int status) {
        // What is no status is counted as 0, and not lost.
        return kind * STATUSES + (status > 0 && status < STATUSES ? status : 0);
    }

    private CounterDataPoint first(int index) {
        // The same one for all who ask for these labels.
        CounterDataPoint count = requests.labelValues(KINDS[index / STATUSES], Integer.toString(index % STATUSES));
        counts.setRelease(index, count);
        return count;
    }

    /** Returns how many were answered, by labels. */
    Map<String, Long> counts() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (int i = 0; i < counts.length(); i++) {
            CounterDataPoint count = counts.getAcquire(i);
            if (count != null) {
                sums.put(
                        "{kind=\"" + KINDS[i / STATUSES] + "\",status=\"" + i % STATUSES + "\"}", count.getLongValue());
            }
        }
        return sums;
    }

    void registerAt(PrometheusRegistry registry) {
        registry.register(requests);
        registry.register(times);
    }
}
