package io.slipstream.cluster.log;

import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.storage.Storage;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.host.Threads;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A host whose time of day never leaps and never stands still: all timeouts of a member count on it, and a leap of the
 * machine's clock must neither depose a leader nor hide that it is dead.
 *
 * <p>It begins with the clock of the machine. When the two differ, it runs a twentieth faster or slower until they
 * agree. A clock that is ahead by more than a bound is not followed: the time of a log is in it for good.
 *
 * <p>The thread that runs the duty looks at the clock; any thread may ask for the time.
 */
public final class EvenHost implements Host, Duty {
    private static final long LOOK_NANOS = 100_000_000;
    private static final long AGREED_NANOS = 2_000_000;
    private static final long TOLD_NANOS = 1_000_000_000;
    private static final int SLEW = 20;

    private final Host host;
    private final long maxLeapNanos;
    private final Consumer<Duration> listener;
    private volatile Pace pace;
    private long nextLookNanos;
    private boolean isOff;
    private volatile long aheadNanos;

    /** From {@code at} on time goes on at {@code 1 + part / SLEW} of its usual pace. */
    private record Pace(long at, long epochNanos, int part) {
        long epochNanos(long nanos) {
            long since = nanos - at;
            return epochNanos + since + part * since / SLEW;
        }
    }

    /**
     * Creates the host.
     *
     * @param host     to take everything from
     * @param maxLeap  a clock that is ahead by more than that is not followed
     * @param listener told once how far the clock is ahead, or behind if negative, when it is more than a second; and
     *                 zero when it is right again
     */
    public EvenHost(Host host, Duration maxLeap, Consumer<Duration> listener) {
        this.host = host;
        this.maxLeapNanos = maxLeap.toNanos();
        this.listener = listener;
        this.nextLookNanos = host.nanoTime();
        this.pace = new Pace(nextLookNanos, host.epochNanos(), 0);
    }

    @Override
    public long epochNanos() {
        return pace.epochNanos(host.nanoTime());
    }

    /** Returns how far the machine's clock was ahead when it was last looked at; negative if behind. Any thread. */
    public long aheadNanos() {
        return aheadNanos;
    }

    @Override
    public int work() {
        long nanos = host.nanoTime();
        if (nanos - nextLookNanos >= 0) {
            nextLookNanos = nanos + LOOK_NANOS;
            look(nanos);
        }
        return 0;
    }

    private void look(long nanos) {
        Pace present = pace;
        long ahead = host.epochNanos() - present.epochNanos(nanos);
        aheadNanos = ahead;
        int part = Math.abs(ahead) <= AGREED_NANOS || ahead > maxLeapNanos ? 0 : Long.signum(ahead);
        if (part != present.part) {
            pace = new Pace(nanos, present.epochNanos(nanos), part);
        }
        boolean off = Math.abs(ahead) > TOLD_NANOS;
        if (off != isOff) {
            isOff = off;
            listener.accept(off ? Duration.ofNanos(ahead) : Duration.ZERO);
        }
    }

    @Override
    public Alarm alarm(LongSupplier deadline, Signal signal) {
        return host.alarm(
                () -> {
                    long due = deadline.getAsLong();
                    return due == Long.MAX_VALUE ? due : due + host.epochNanos() - epochNanos();
                },
                signal);
    }

    @Override
    public long nanoTime() {
        return host.nanoTime();
    }

    @Override
    public long secret() {
        return host.secret();
    }

    @Override
    public SelectorProvider network() {
        return host.network();
    }

    @Override
    public Storage storage(Path directory) throws IOException {
        return host.storage(directory);
    }

    @Override
    public Task task(Worker.Builder worker) {
        return host.task(worker);
    }

    @Override
    public Threads threads() {
        return host.threads();
    }

    @Override
    public void run(String name, Runnable action) {
        host.run(name, action);
    }

    @Override
    public Alarm watch(String name, long pauseNanos, Runnable look) {
        return host.watch(name, pauseNanos, look);
    }

    @Override
    public void giveWay() {
        host.giveWay();
    }

    @Override
    public void pause(long nanos) {
        host.pause(nanos);
    }

    @Override
    public boolean strikes(FaultPoint point) {
        return host.strikes(point);
    }
}
