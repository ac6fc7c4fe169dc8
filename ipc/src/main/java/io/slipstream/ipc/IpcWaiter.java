package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Waiter;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.sleep.Futex;
import io.slipstream.ipc.sleep.SpinTime;
import io.slipstream.ipc.slot.Slots;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of a subscriber does while nothing comes, across processes: call {@link #idle} after each poll.
 *
 * <p>A strategy that is wakeable sleeps in the kernel until a publication wakes it, if this JVM may call native code
 * ({@code --enable-native-access=io.slipstream.ipc}, on Linux) and so may the publisher's; otherwise it backs off, with
 * sleeps from 1 microsecond to 1 millisecond. A publisher may be killed before it wakes anybody, so no sleep is longer
 * than 4 milliseconds, and the first is 50 microseconds.
 *
 * <p>Before it sleeps in the kernel it spins, whatever the strategy says, for as long as a wake-up takes: 50
 * microseconds where that has found messages lately, otherwise hardly ever.
 */
public final class IpcWaiter implements AutoCloseable {
    private static final long FIRST_SLEEP_NANOS = 50_000;
    private static final long LONGEST_SLEEP_NANOS = 4_000_000;

    private final Region region;
    private final IpcReader reader;
    private final WaitStrategy strategy;
    private final Waiter backoff;
    private final @Nullable Futex futex;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment time;
    private final long armed;
    private final MemorySegment word;
    private final SpinTime spinTime = new SpinTime();
    private int rounds;
    private long sleepNanos = FIRST_SLEEP_NANOS;
    private boolean isArmed;

    IpcWaiter(Region region, IpcReader reader, WaitStrategy strategy) {
        this.region = region;
        this.reader = reader;
        this.strategy = strategy;
        this.futex = strategy.wakeable() ? Futex.ofThisProcess() : null;
        this.backoff = (strategy.wakeable() ? WaitStrategy.backoff() : strategy).newWaiter(new Signal());
        this.armed = reader.slot().base() + Layout.ARMED_AT;
        this.word = region.segment().asSlice(armed, Integer.BYTES);
        this.time = arena.allocate(ValueLayout.JAVA_LONG, 2);
        if (futex != null) {
            Slots.setSleeper(region, reader.slot().index(), true);
        }
    }

    /** Returns whether a publication ends the sleep at once; if not, the sleeper wakes by the clock. */
    public boolean isWoken() {
        return futex != null;
    }

    /** Waits if {@code workCount}, what the last poll has returned, is 0; otherwise begins anew. */
    public void idle(int workCount) {
        if (futex == null) {
            if (backoff.idle(workCount)) {
                reader.lookForHole();
            }
        } else if (workCount > 0) {
            rounds = 0;
            sleepNanos = FIRST_SLEEP_NANOS;
            spinTime.reset();
            disarm();
        } else if (spinTime.goesOn()) {
            Thread.onSpinWait();
        } else if (rounds < strategy.spins()) {
            rounds++;
            Thread.onSpinWait();
        } else if (rounds - strategy.spins() < strategy.yields()) {
            rounds++;
            Thread.yield();
        } else if (!isArmed) {
            // The caller polls once more before it comes back.
            isArmed = true;
            region.putLongOpaque(armed, 1);
            VarHandle.fullFence();
        } else {
            isArmed = false;
            reader.lookForHole();
            time.setAtIndex(ValueLayout.JAVA_LONG, 1, Math.min(strategy.maxSleepNanos(), sleepNanos));
            futex.sleep(word, time);
            sleepNanos = Math.min(2 * sleepNanos, LONGEST_SLEEP_NANOS);
            region.putLongOpaque(armed, 0);
        }
    }

    private void disarm() {
        if (isArmed) {
            isArmed = false;
            region.putLongOpaque(armed, 0);
        }
    }

    /** Publishers no longer look whether this sleeps. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            if (futex != null && reader.slot().isOwned()) {
                Slots.setSleeper(region, reader.slot().index(), false);
            }
            arena.close();
        }
    }
}
