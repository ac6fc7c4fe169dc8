package io.slipstream.service;

import io.slipstream.service.host.Host;
import io.slipstream.service.logic.Pulse;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the logic from a thread of its own: tells what the state machine is in for too long, again each time that
 * this has doubled, and ends a service that could not do that itself.
 */
public final class Watchdog implements AutoCloseable {
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
    private static final int LOOKS_WITHIN_LIMIT = 8;

    private final Host host;
    private final Pulse pulse;
    private final long limitNanos;
    private final Consumer<SlowEntry> listener;
    private final Runnable supervision;
    private final String skipCommand;
    private volatile boolean replays = true;
    private long seenBeat;
    private long sinceNanos;
    private long nextNanos;
    private volatile long inOneNanos;
    private Host.@Nullable Alarm alarm;

    /**
     * Creates a watchdog.
     *
     * @param limit       how long the machine may take without being told
     * @param supervision done with each look
     * @param skipCommand see {@link SlowEntry#skipCommand}
     */
    public Watchdog(
            Host host,
            Pulse pulse,
            Duration limit,
            Consumer<SlowEntry> listener,
            Runnable supervision,
            String skipCommand) {
        this.host = host;
        this.pulse = pulse;
        this.limitNanos = limit.toNanos();
        this.listener = listener;
        this.supervision = supervision;
        this.skipCommand = skipCommand;
    }

    /** Begins to look. */
    public void start() {
        long pause = Math.min(LONGEST_PAUSE_NANOS, limitNanos / LOOKS_WITHIN_LIMIT);
        alarm = host.watch("slipstream-watch", pause, this::look);
    }

    /** The log is replayed. */
    public void replayed() {
        pulse.rest();
        replays = false;
    }

    private void look() {
        long beat = pulse.beat();
        long now = host.nanoTime();
        if (beat != seenBeat || (beat & 1) == 0) {
            seenBeat = beat;
            sinceNanos = now;
            nextNanos = limitNanos;
            inOneNanos = 0;
            supervision.run();
            return;
        }
        inOneNanos = now - sinceNanos;
        if (now - sinceNanos >= nextNanos) {
            nextNanos = 2 * (now - sinceNanos);
            listener.accept(present(now));
        }
        supervision.run();
    }

    /** Returns for how long the machine was in one and the same message at the last look; zero if it was not. */
    public Duration inOne() {
        return Duration.ofNanos(inOneNanos);
    }

    /** Returns what the machine is in at present, or null if it is in nothing; any thread. */
    public @Nullable SlowEntry present() {
        return (pulse.beat() & 1) == 0 ? null : present(host.nanoTime());
    }

    private SlowEntry present(long now) {
        Thread thread = pulse.thread();
        return new SlowEntry(
                pulse.sequence(),
                pulse.text(),
                Duration.ofNanos(Math.max(0, now - sinceNanos)),
                replays,
                thread == null ? List.of() : List.of(thread.getStackTrace()),
                skipCommand);
    }

    @Override
    public void close() {
        Host.Alarm present = alarm;
        if (present != null) {
            present.close();
        }
    }
}
