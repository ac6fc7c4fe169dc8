package io.slipstream.http.monitor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The longest stalls since the gateway began, and what ran in the second before each was seen. The counters tell the
 * longest of each thread, so that each is seen that is longer than all before it on its thread. One thread looks, any
 * thread reads.
 */
final class Stalls {
    static final int MOST = 8;

    private static final long LEAST_NANOS = 1_000_000;
    private static final long BACK_MILLIS = 1_000;
    private static final String LABEL = "/longest stall";
    private static final String THREAD = "thread ";

    /** Longest first. */
    private final List<Stall> longest = new ArrayList<>();

    /** What was seen in the last second, oldest first. */
    private final Deque<Signs> seen = new ArrayDeque<>();

    private record Stall(long millis, String thread, long nanos, String meanwhile) {
        Map<String, Object> describe() {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("at", millis);
            members.put("thread", thread);
            members.put("nanos", nanos);
            members.put("meanwhile", meanwhile);
            return members;
        }
    }

    /** Notes the stalls that are longer than those before. */
    synchronized void look(Signs now) {
        Signs last = seen.peekLast();
        if (last != null) {
            Signs back = seen.getFirst();
            now.counters().forEach((name, nanos) -> {
                if (name.endsWith(LABEL) && nanos >= LEAST_NANOS && nanos > last.counter(name)) {
                    longest.add(new Stall(now.millis(), thread(name), nanos, meanwhile(now, back)));
                }
            });
            longest.sort(Comparator.comparingLong(Stall::nanos).reversed());
            while (longest.size() > MOST) {
                longest.removeLast();
            }
        }
        seen.addLast(now);
        while (now.millis() - seen.getFirst().millis() > BACK_MILLIS) {
            seen.removeFirst();
        }
    }

    private static String thread(String name) {
        String owner = name.substring(0, name.length() - LABEL.length());
        return owner.startsWith(THREAD) ? owner.substring(THREAD.length()) : owner;
    }

    private static String meanwhile(Signs now, Signs back) {
        List<String> ran = new ArrayList<>();
        if (rose("log/longest commit", now, back)) {
            ran.add("a commit of "
                    + Duration.ofNanos(now.counter("log/longest commit")).toMillis() + " ms");
        }
        if (rose("snapshots/begun", now, back) || now.counter("snapshots/begun") > now.counter("snapshots/ended")) {
            ran.add("a snapshot");
        }
        long commands = now.counter("commands/processed") - back.counter("commands/processed");
        if (commands > 0) {
            ran.add(commands == 1 ? "one command" : commands + " commands");
        }
        if (rose("commands/logins", now, back)) {
            ran.add("logins");
        }
        return ran.isEmpty() ? "nothing of the service" : String.join(", ", ran);
    }

    private static boolean rose(String counter, Signs now, Signs back) {
        return now.counter(counter) > back.counter(counter);
    }

    /** Returns the stalls for JSON, the longest first. */
    synchronized List<Object> describe() {
        List<Object> described = new ArrayList<>();
        longest.forEach(stall -> described.add(stall.describe()));
        return described;
    }
}
