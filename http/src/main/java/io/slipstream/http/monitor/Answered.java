package io.slipstream.http.monitor;

import io.slipstream.http.web.Requests;
import io.slipstream.service.typed.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The requests that were answered: how many by kind and status, and how long commands and queries took. */
public final class Answered implements Requests {
    private static final String[] KINDS = {"command", "other", "query"};
    private static final int STATUSES = 600;

    /* By kind and status; made with the first answer of each. */
    private final AtomicReferenceArray<LongAdder> counts = new AtomicReferenceArray<>(KINDS.length * STATUSES);
    private final Histogram commands = new Histogram();
    private final Histogram queries = new Histogram();

    @Override
    public void done(Operation.@Nullable Kind kind, int status, long nanos) {
        int index = index(kind == null ? 1 : kind == Operation.Kind.COMMAND ? 0 : 2, status);
        LongAdder count = counts.getAcquire(index);
        (count == null ? first(index) : count).increment();
        if (kind != null) {
            (kind == Operation.Kind.COMMAND ? commands : queries).add(nanos);
        }
    }

    private static int index(int kind, int status) {
        // What is no status is counted as 0, and not lost.
        return kind * STATUSES + (status > 0 && status < STATUSES ? status : 0);
    }

    private LongAdder first(int index) {
        LongAdder mine = new LongAdder();
        LongAdder other = counts.compareAndExchange(index, null, mine);
        return other == null ? mine : other;
    }

    /** Returns how many were answered, by labels. */
    Map<String, Long> counts() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (int i = 0; i < counts.length(); i++) {
            LongAdder count = counts.get(i);
            if (count != null) {
                sums.put("{kind=\"" + KINDS[i / STATUSES] + "\",status=\"" + i % STATUSES + "\"}", count.sum());
            }
        }
        return sums;
    }

    void appendTo(StringBuilder text) {
        text.append("# HELP slipstream_http_requests_total Requests that were answered.\n"
                + "# TYPE slipstream_http_requests_total counter\n");
        counts().forEach((labels, count) -> text.append("slipstream_http_requests_total")
                .append(labels)
                .append(' ')
                .append(count)
                .append('\n'));
        text.append("# HELP slipstream_http_request_seconds Time from a request's header to the end of its response.\n"
                + "# TYPE slipstream_http_request_seconds histogram\n");
        commands.appendTo(text, "slipstream_http_request_seconds", "kind=\"command\",");
        queries.appendTo(text, "slipstream_http_request_seconds", "kind=\"query\",");
    }
}
