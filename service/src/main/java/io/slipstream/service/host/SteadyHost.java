package io.slipstream.service.host;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A host whose time of day never goes back and makes no great leap: the time of a log, which is in it for good.
 *
 * <p>It follows the clock of the machine. When that goes back, time stands still until it has caught up. When it leaps
 * ahead by more than a bound, time goes on at its own pace until the two agree again, or until the process is started
 * anew: nobody could take a leap of ten years back. It looks at the clock once a millisecond, and counts on from there
 * without a lock and without garbage.
 */
public final class SteadyHost implements Host {
    private static final long BEHIND_NANOS = 1_000_000_000;
    private static final long LOOK_NANOS = 1_000_000;
    private static final VarHandle OFFSET;
    private static final VarHandle LOOKED_AT;
    private static final VarHandle LATEST;
    private static final VarHandle IS_OFF;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OFFSET = lookup.findVarHandle(SteadyHost.class, "offset", long.class);
            LOOKED_AT = lookup.findVarHandle(SteadyHost.class, "lookedAtNanos", long.class);
            LATEST = lookup.findVarHandle(SteadyHost.class, "latest", long.class);
            IS_OFF = lookup.findVarHandle(SteadyHost.class, "isOff", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Host host;
    private final long maxLeapNanos;
    private final Consumer<Duration> listener;

    /* The clock of the machine less its time that never goes back, as it was when it was last followed. */
    private long offset;
    private long lookedAtNanos;
    private long latest;
    private boolean isOff;

    /**
     * Creates the host.
     *
     * @param host     to take everything from
     * @param maxLeap  the clock is followed unless it leaps ahead by more than that
     * @param listener told once how far the clock is ahead (behind if negative) when it is not followed, and zero when
     *                 it is again; called by any thread that asks for the time
     */
    public SteadyHost(Host host, Duration maxLeap, Consumer<Duration> listener) {
        this.host = host;
        this.maxLeapNanos = Patience.nanos(maxLeap);
        this.listener = listener;
        this.lookedAtNanos = host.nanoTime();
        this.offset = host.epochNanos() - lookedAtNanos;
    }

    /** Lets no time be before {@code epochNanos}: what a log ends with. Before the threads start. */
    public void notBefore(long epochNanos) {
        latest = epochNanos;
    }

    @Override
    public long epochNanos() {
        long nanos = host.nanoTime();
        if (nanos - (long) LOOKED_AT.getOpaque(this) >= LOOK_NANOS) {
            LOOKED_AT.setOpaque(this, nanos);
            look(nanos, host.epochNanos());
        }
        return advanceTo((long) OFFSET.getOpaque(this) + nanos);
    }

    /** Follows the clock unless it has leapt; the first to see that it is off, or right again, tells so. */
    private void look(long nanos, long clock) {
        long steady = (long) OFFSET.getOpaque(this) + nanos;
        boolean leapt = clock - steady > maxLeapNanos;
        if (!leapt) {
            OFFSET.setOpaque(this, clock - nanos);
        }
        boolean off = leapt || latest() - clock > BEHIND_NANOS;
        if (off != (boolean) IS_OFF.getOpaque(this) && IS_OFF.compareAndSet(this, !off, off)) {
            listener.accept(off ? Duration.ofNanos(clock - (leapt ? steady : latest())) : Duration.ZERO);
        }
    }

    private long advanceTo(long time) {
        long before = latest();
        while (time > before && !LATEST.weakCompareAndSetRelease(this, before, time)) {
            before = latest();
        }
        return Math.max(before, time);
    }

    private long latest() {
        return (long) LATEST.getAcquire(this);
    }

    @Override
    public Alarm alarm(LongSupplier deadline, Signal signal) {
        // The machine's clock rings when the time of the log will have come.
        return host.alarm(
                () -> {
                    long due = deadline.getAsLong();
                    return due == Long.MAX_VALUE ? due : due + host.epochNanos() - epochNanos();
                },
                signal);
    }

    @Override
    public void giveWay() {
        host.giveWay();
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
    public Alarm watch(String name, long pauseNanos, Runnable look) {
        return host.watch(name, pauseNanos, look);
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
    public boolean strikes(FaultPoint point) {
        return host.strikes(point);
    }

    @Override
    public void pause(long nanos) {
        host.pause(nanos);
    }
}
