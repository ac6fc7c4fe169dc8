package io.slipstream.http.monitor;

import io.slipstream.http.web.Requests;
import io.slipstream.service.typed.Operation;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** The requests that were answered: how many by kind and status, and how long commands and queries took. */
public final class Answered implements Requests {
    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();
    private final Histogram commands = new Histogram();
    private final Histogram queries = new Histogram();

    @Override
    public void done(Operation.@Nullable Kind kind, int status, long nanos) {
        String name = kind == null ? "other" : kind == Operation.Kind.COMMAND ? "command" : "query";
        counts.computeIfAbsent("{kind=\"" + name + "\",status=\"" + status + "\"}", _ -> new LongAdder()).increment();
        if (kind != null) {
            (kind == Operation.Kind.COMMAND ? commands : queries).add(nanos);
        }
    }

    /** Returns how many were answered, by labels. */
    Map<String, Long> counts() {
        Map<String, Long> sums = new LinkedHashMap<>();
        counts.forEach((labels, count) -> sums.put(labels, count.sum()));
        return sums;
    }

    void appendTo(StringBuilder text) {
        text.append("# HELP slipstream_http_requests_total Requests that were answered.\n"
                + "# TYPE slipstream_http_requests_total counter\n");
        counts.forEach((labels, count) -> text.append("slipstream_http_requests_total").append(labels).append(' ')
                .append(count.sum()).append('\n'));
        text.append("# HELP slipstream_http_request_seconds Time from a request's header to the end of its response.\n"
                + "# TYPE slipstream_http_request_seconds histogram\n");
        commands.appendTo(text, "slipstream_http_request_seconds", "kind=\"command\",");
        queries.appendTo(text, "slipstream_http_request_seconds", "kind=\"query\",");
    }
}
