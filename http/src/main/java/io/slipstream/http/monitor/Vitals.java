package io.slipstream.http.monitor;

import static io.slipstream.http.monitor.Metrics.gauge;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.slipstream.http.call.Backend;
import io.slipstream.http.config.MemberView;
import io.slipstream.http.text.JsonText;
import io.slipstream.http.web.Page;
import io.slipstream.http.web.Streams;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the service again and again how it is. A service that does not answer is not healthy; one that has not
 * recovered yet does not answer; one whose log has no room answers, and is healthy, but takes no commands.
 */
public final class Vitals implements AutoCloseable {
    private static final long SILENCE_NANOS = 5_000_000_000L;
    private static final long BEAT_NANOS = 10_000_000_000L;
    private static final int RECENT = 100;

    private final Backend backend;
    private final Streams streams;
    private final Answered answered;
    private final Watch watch;
    private final Deque<Long> recentProbes = new ArrayDeque<>();
    private final Metrics metrics = new Metrics();
    private final Histogram probes = Metrics.durations(
                    "probe_seconds", "Round trip of a request through all stages of the service.")
            .register(metrics.registry());
    private final Host.Alarm prober;
    private long nextBeatNanos = System.nanoTime();
    private volatile Sign last = new Sign(null, 0, "the service has not answered yet");

    private final CountDownLatch heard = new CountDownLatch(1);
    private volatile Replay replay = new Replay(0, 0);
    private volatile Supplier<List<MemberView>> members = List::of;

    private record Replay(long done, long all) {}

    private record Sign(@Nullable Status status, long seenNanos, String error) {}

    /**
     * Begins to ask.
     *
     * @param counters file of the process of the service, or null
     * @param every    between two questions
     */
    public Vitals(Backend backend, Streams streams, Answered answered, @Nullable Path counters, Duration every) {
        this.watch = new Watch(counters);
        this.backend = backend;
        this.streams = streams;
        this.answered = answered;
        answered.registerAt(metrics.registry());
        Jvm.registerAt(metrics.registry());
        metrics.registry().register((MultiCollector) this::gauges);
        metrics.registry().register((MultiCollector) watch::metrics);
        prober = Host.system().watch("slipstream-http-probe", every.toNanos(), this::probe);
    }

    /** Returns the pages by path. */
    public Map<String, Page> pages() {
        return Map.of(
                "/health",
                new Page(true, () -> report(isAlive(), "healthy")),
                "/ready",
                new Page(true, () -> report(isReady(), "ready")),
                "/metrics",
                new Page(false, true, metrics::read));
    }

    @Override
    public void close() {
        prober.close();
        watch.close();
    }

    /** Says how far the service is in the replay of its log. */
    public void replaying(long done, long all) {
        replay = new Replay(done, all);
    }

    /** Says who knows how the members of the service's cluster are. */
    public void showMembers(Supplier<List<MemberView>> those) {
        members = Objects.requireNonNull(those, "members");
    }

    /**
     * Waits until the service has answered once, but not for longer than {@code most}. An interrupt ends the wait, and
     * stays pending.
     */
    public void awaitFirstAnswer(Duration most) {
        try {
            boolean ignored = heard.await(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Watch watch() {
        return watch;
    }

    /** Adds how the service is, and the round trips since the last call. */
    void describe(Map<String, Object> picture) {
        Sign sign = last;
        picture.put("alive", isAlive());
        picture.put("ready", isReady());
        picture.put("error", isAlive() ? "" : why(sign));
        picture.put("pending", backend.pending());
        picture.put("maxPending", backend.maxPending());
        picture.put("pendingBytes", backend.pendingBytes());
        picture.put("maxPendingBytes", backend.maxPendingBytes());
        picture.put("streams", streams.count());
        picture.put("http", answered.counts());
        synchronized (recentProbes) {
            picture.put("probes", List.copyOf(recentProbes));
            recentProbes.clear();
        }
        if (sign.status != null) {
            picture.put("sequence", sign.status.sequence());
            picture.put("sessions", sign.status.sessions());
            picture.put("logFull", sign.status.isLogFull());
            picture.put("replayed", sign.status.replayed());
            picture.put("recoveryNanos", sign.status.recoveryNanos());
            picture.put("stateHash", Long.toHexString(sign.status.stateHash()));
        }
    }

    /** Returns how the service is, with the values of its counters. */
    Signs signs(Map<String, Long> counters) {
        Sign sign = last;
        boolean alive = isAlive();
        return new Signs(
                System.currentTimeMillis(),
                sign.status != null,
                alive,
                alive ? "" : why(sign),
                sign.status != null && sign.status.isLogFull(),
                Math.max(
                        (double) backend.pending() / backend.maxPending(),
                        (double) backend.pendingBytes() / backend.maxPendingBytes()),
                sign.status == null ? 0 : sign.status.sequence(),
                sign.status == null ? 0 : sign.status.recoveryNanos(),
                members(),
                counters);
    }

    private List<MemberView> members() {
        try {
            return members.get();
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    private void probe() {
        long begin = System.nanoTime();
        try {
            if (begin - nextBeatNanos >= 0) {
                nextBeatNanos = begin + BEAT_NANOS;
                streams.beat();
            }
            Status status = backend.status();
            long end = System.nanoTime();
            probes.observe((end - begin) / Metrics.SECOND_NANOS);
            synchronized (recentProbes) {
                recentProbes.add(end - begin);
                if (recentProbes.size() > RECENT) {
                    recentProbes.remove();
                }
            }
            last = new Sign(status, end, "");
            heard.countDown();
        } catch (RuntimeException e) {
            last = new Sign(last.status, last.seenNanos, String.valueOf(e.getMessage()));
        }
    }

    private boolean isAlive() {
        Sign sign = last;
        return sign.status != null && System.nanoTime() - sign.seenNanos < SILENCE_NANOS;
    }

    private boolean isReady() {
        Sign sign = last;
        return isAlive() && sign.status != null && !sign.status.isLogFull() && !backend.isFull();
    }

    private Page.Content report(boolean good, String what) {
        Sign sign = last;
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(what, good);
        if (sign.status != null) {
            members.put("sequence", sign.status.sequence());
            members.put("stateHash", Long.toHexString(sign.status.stateHash()));
            members.put("logFull", sign.status.isLogFull());
        }
        Map<String, Long> member = watch.member();
        if (!member.isEmpty()) {
            members.put("member", member);
        }
        if (!good) {
            members.put("reason", why(sign));
            if (isReplaying(sign)) {
                members.put("replayed", replay.done);
                members.put("toReplay", replay.all);
            }
        }
        return Page.Content.json(good ? 200 : 503, JsonText.of(members).getBytes(StandardCharsets.UTF_8));
    }

    private boolean isReplaying(Sign sign) {
        return !backend.isConnected() && sign.status == null && replay.all > 0;
    }

    private String why(Sign sign) {
        if (isReplaying(sign)) {
            return "the service replays its log: " + replay.done + " of " + replay.all + " entries";
        }
        if (!sign.error.isEmpty()) {
            return sign.error;
        }
        return sign.status != null && sign.status.isLogFull()
                ? "the log has no room left on its device"
                : isAlive() ? "as many requests wait as may" : "nothing was heard of it for five seconds";
    }

    private MetricSnapshots gauges() {
        MetricSnapshots.Builder all = MetricSnapshots.builder()
                .metricSnapshot(gauge("up", "Whether the service has answered within five seconds.", isAlive() ? 1 : 0))
                .metricSnapshot(gauge("ready", "Whether commands are taken.", isReady() ? 1 : 0))
                .metricSnapshot(
                        gauge("http_pending_requests", "Requests that wait for the service.", backend.pending()))
                .metricSnapshot(
                        gauge("http_pending_limit", "Requests that may wait for the service.", backend.maxPending()))
                .metricSnapshot(gauge(
                        "http_pending_bytes",
                        "Bytes of the requests that wait for the service.",
                        backend.pendingBytes()))
                .metricSnapshot(gauge(
                        "http_pending_bytes_limit",
                        "Bytes that requests may have that wait.",
                        backend.maxPendingBytes()))
                .metricSnapshot(gauge("http_streams", "Event streams that are open.", streams.count()));
        Replay progress = replay;
        all.metricSnapshot(gauge("replay_done_entries", "Log entries of the start that are replayed.", progress.done))
                .metricSnapshot(gauge("replay_entries", "Log entries that the start has to replay.", progress.all));
        Status status = last.status;
        if (status != null) {
            all.metricSnapshot(gauge("log_sequence", "Last log entry that was applied.", status.sequence()))
                    .metricSnapshot(gauge("sessions", "Sessions that are open.", status.sessions()))
                    .metricSnapshot(gauge("log_full", "Whether the log has no room.", status.isLogFull() ? 1 : 0))
                    .metricSnapshot(gauge(
                            "replayed_entries", "Log entries replayed when the service started.", status.replayed()))
                    .metricSnapshot(gauge(
                            "recovery_seconds", "How long that took.", status.recoveryNanos() / Metrics.SECOND_NANOS));
        }
        return all.build();
    }
}
