package io.slipstream.sim.host;

import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.world.Schedule;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulated process that blocks. It has a real thread, which goes on only while the one that runs the
 * world waits for it: from its turn until it waits for something itself. So what happens follows from the seed alone.
 *
 * <p>Nothing else may make it wait: a monitor, say, that another one of these has kept would never be free.
 */
final class SimulatedThread {
    /** For who waits until something happens, however long that takes. */
    static final long FOREVER = Long.MAX_VALUE;

    private static final ThreadLocal<@Nullable SimulatedThread> CURRENT = new ThreadLocal<>();
    private static final long ROUND_NANOS = 20_000;
    private static final long LONGEST_JOIN_NANOS = 600_000_000_000L;

    private final SimulatedHost host;
    private final Schedule schedule;
    private final String name;
    private final Thread real;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private BooleanSupplier awaited = () -> true;
    private long deadline = FOREVER;
    private long waits;
    private long stuckUntil;
    private boolean isPlanned;
    private boolean isStarted;
    private boolean hasEnded;
    private @Nullable Throwable failure;

    SimulatedThread(SimulatedHost host, String name, Runnable action) {
        this.host = host;
        this.schedule = host.schedule();
        this.name = name;
        this.real = Thread.ofVirtual().name(name).unstarted(() -> run(action));
    }

    /** Returns whether the calling thread is one of these. */
    static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    /** Returns what tells the calling thread from others: itself, or null for the one that runs the world. */
    static @Nullable SimulatedThread current() {
        return CURRENT.get();
    }

    /**
     * Lets the rest of the world go on until {@code isOver}, or so many nanoseconds have passed.
     *
     * @throws SimulatedCrash if the process has died
     */
    static void await(SimulatedHost host, BooleanSupplier isOver, long nanos) {
        if (host.isDead()) {
            throw new SimulatedCrash();
        }
        SimulatedThread self = CURRENT.get();
        long now = host.schedule().nanos();
        long until = nanos < FOREVER - now ? now + nanos : FOREVER;
        if (self == null) {
            host.schedule()
                    .runUntil(Math.min(until, now + LONGEST_JOIN_NANOS), () -> host.isDead() || isOver.getAsBoolean());
        } else {
            self.await(isOver, until);
        }
        if (host.isDead()) {
            throw new SimulatedCrash();
        }
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** Gives it a turn in a moment, if it does not wait for anything else. */
    void soon() {
        if (!isPlanned && !hasEnded && awaited.getAsBoolean()) {
            isPlanned = true;
            schedule.after(host.chance().someNanos(ROUND_NANOS), this::plannedTurn);
        }
    }

    /** Waits until it has ended. */
    void join() {
        if (host.isDead()) {
            unwind();
        } else {
            await(host, () -> hasEnded, FOREVER);
            if (!hasEnded) {
                throw new AssertionError("the thread " + name + " of " + host.name() + " does not end");
            }
        }
    }

    /** Lets it end: all that it waits for from now on says that the process is dead. */
    void unwind() {
        if (CURRENT.get() == this) {
            return;
        }
        while (isStarted && !hasEnded) {
            goOn();
        }
        hasEnded = true;
    }

    private void await(BooleanSupplier isOver, long until) {
        if (isOver.getAsBoolean()) {
            return;
        }
        awaited = isOver;
        deadline = until;
        long wait = ++waits;
        if (until < FOREVER) {
            schedule.after(until - schedule.nanos(), () -> {
                if (wait == waits) {
                    turn();
                }
            });
        }
        back.release();
        turn.acquireUninterruptibly();
        awaited = () -> true;
        deadline = FOREVER;
        waits++;
    }

    private void plannedTurn() {
        isPlanned = false;
        turn();
    }

    private void turn() {
        if (hasEnded || host.isDead()) {
            return;
        }
        long later = Math.max(host.pausedUntil(), stuckUntil) - schedule.nanos();
        if (later > 0) {
            if (!isPlanned) {
                isPlanned = true;
                schedule.after(later, this::plannedTurn);
            }
            return;
        }
        if (awaited.getAsBoolean() || schedule.nanos() >= deadline) {
            goOn();
            // What it has done may be what a task waits for.
            host.wake();
            stuckUntil = schedule.nanos() + host.roundDone();
        }
    }

    /** The real thread goes on until it waits again, or ends. */
    private void goOn() {
        if (!isStarted) {
            isStarted = true;
            real.start();
        }
        turn.release();
        back.acquireUninterruptibly();
        Throwable thrown = failure;
        if (thrown != null) {
            failure = null;
            throw new IllegalStateException("the thread " + name + " of " + host.name() + " has failed", thrown);
        }
    }

    private void run(Runnable action) {
        turn.acquireUninterruptibly();
        CURRENT.set(this);
        try {
            action.run();
        } catch (SimulatedCrash e) {
            // Its process is no more.
        } catch (Throwable e) {
            failure = host.isDead() ? null : e;
        } finally {
            hasEnded = true;
            host.wake();
            back.release();
        }
    }
}
