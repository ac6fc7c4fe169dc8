package io.slipstream.core.executor;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Undisturbed;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of the timers: hands over what is due, and sleeps until the next one is. It begins with the first of them.
 */
final class TimerThread implements Runnable {
    private static final long FIRST_RETRY_NANOS = 50_000;
    private static final long LONGEST_RETRY_NANOS = 64 * FIRST_RETRY_NANOS;
    private static final long ATTENTION_NANOS = 50_000;

    private final Timers timers;
    private final ThreadFactory factory;
    private final Signal signal = new Signal();
    private volatile @Nullable Thread thread;
    private volatile long sleepsUntil = Long.MAX_VALUE;
    /** How long the next pause is while there is something left to do. */
    private long retryNanos = FIRST_RETRY_NANOS;

    TimerThread(Timers timers, ThreadFactory factory) {
        this.timers = timers;
        this.factory = factory;
    }

    /**
     * Makes threads that take nothing from the one that happens to schedule first. They are daemons: it is the workers
     * who keep the JVM alive while there are tasks to run, if they are to.
     */
    static ThreadFactory factory(String name) {
        return Thread.ofPlatform()
                .name(name)
                .daemon()
                .priority(Thread.NORM_PRIORITY)
                .inheritInheritableThreadLocals(false)
                .factory();
    }

    /** Starts the thread unless it runs already. If that fails, the next call tries again. */
    void begin() {
        if (thread == null) {
            start();
        }
    }

    private synchronized void start() {
        if (thread == null) {
            Thread made = factory.newThread(this);
            made.start();
            thread = made;
        }
    }

    /** Wakes the thread if it would sleep beyond {@code deadlineNanos}. */
    void wakeBefore(long deadlineNanos) {
        if (deadlineNanos < sleepsUntil) {
            signal.wake();
        }
    }

    /** Wakes the thread, which then looks whether it may end. */
    void wake() {
        signal.wake();
    }

    /** Waits for the end of the thread, if it was started; only when the timers accept none any more. */
    void awaitEnd() {
        Thread started = thread;
        if (started == null) {
            return;
        }
        signal.wake();
        Undisturbed.join(started);
    }

    @Override
    public void run() {
        try {
            Affinity.unpinCurrentThread();
        } catch (Throwable e) {
            report(e);
        }
        while (!timers.isFinished()) {
            try {
                turn();
            } catch (Throwable e) {
                // Most likely there was no memory; what waits is where it was.
                report(e);
                LockSupport.parkNanos(this, LONGEST_RETRY_NANOS);
            }
        }
    }

    private void turn() {
        // While the workers have not taken what they were given, there is no hurry to give them more.
        if (!timers.hasDue()) {
            retryNanos = FIRST_RETRY_NANOS;
        }
        if (timers.round()) {
            pause();
        } else if (timers.wheel.isAttended()) {
            LockSupport.parkNanos(this, ATTENTION_NANOS);
        } else {
            sleep();
        }
    }

    private void pause() {
        LockSupport.parkNanos(this, timers.wheel.isAttended() ? ATTENTION_NANOS : retryNanos);
        retryNanos = Math.min(2 * retryNanos, LONGEST_RETRY_NANOS);
    }

    private static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ignored) {
            // As with a thread's own death: what the handler throws has nowhere to go.
        }
    }

    /**
     * Sleeps until the next deadline. Who makes an earlier one sees how long this sleeps, or is seen in the look after
     * arming.
     */
    private void sleep() {
        CombiningWheel wheel = timers.wheel;
        signal.arm();
        long next = wheel.nextNanos();
        sleepsUntil = next;
        VarHandle.fullFence();
        if (wheel.nextNanos() == next && !timers.isFinished() && next > wheel.now()) {
            signal.sleep(next - wheel.now());
        } else {
            signal.disarm();
        }
        sleepsUntil = 0;
    }
}
