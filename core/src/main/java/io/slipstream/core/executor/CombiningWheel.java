package io.slipstream.core.executor;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.thread.Patience;
import java.lang.invoke.VarHandle;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TimerWheel} that any thread may change and none waits for, by flat combining (Hendler, Incze, Shavit and
 * Tzafrir, 2010).
 *
 * <p>Who wants to change the wheel and finds it taken leaves its request on a stack; whoever has the wheel looks there
 * after giving it up. So a cancelled task leaves the wheel at once.
 *
 * <p>Reading the clock costs more than the rest of a timer. When many come in a burst, the timers' thread attends: it
 * looks for requests again and again, and meanwhile all are left on the stack. Whoever answers them reads the clock
 * once for all, after they were made, so that delays count from a little later and no task is early. Long stacks are
 * answered by those who add to them.
 *
 * <pre>
 *   not attended   request -> wheel, or stack if the wheel is taken     the thread sleeps until the next deadline
 *        |  BURST tasks, each within BURST_GAP_NANOS of the last
 *        v
 *   attended       request -> stack -> wheel, in batches                the thread looks every so often
 *        |  fewer than BURST requests in one such time
 *        v
 *   not attended
 * </pre>
 */
class CombiningWheel {
    private static final VarHandle TAKEN =
            fieldVarHandle(lookup(), "taken", VarHandle.class, CombiningWheel.class, boolean.class);
    private static final VarHandle REQUESTS =
            fieldVarHandle(lookup(), "requests", VarHandle.class, CombiningWheel.class, ScheduledTask.class);
    private static final int BURST = 64;
    private static final long BURST_GAP_NANOS = 1_000;
    private static final int LONG_STACK = 32;

    /** Belongs to whoever has taken this. */
    final TimerWheel tasks = new TimerWheel();

    private final LongConsumer sleeper;
    private final long origin = System.nanoTime();
    private volatile boolean taken;
    private volatile @Nullable ScheduledTask<?> requests;
    private volatile boolean attended;

    /* What follows belongs to whoever has the wheel. */
    /** Requests since the thread last looked; those that found the wheel free count too. */
    private long answered;

    private long earliest = Long.MAX_VALUE;
    private long lastStamp;
    private int burst;

    /**
     * Creates an empty one; {@code sleeper} is told the first deadline of those that came in while somebody had the
     * wheel.
     */
    CombiningWheel(LongConsumer sleeper) {
        this.sleeper = sleeper;
    }

    /** Nanoseconds since this was created. */
    long now() {
        return System.nanoTime() - origin;
    }

    /**
     * Puts a new task into the wheel, now or through whoever answers the requests. Those that came before it count
     * first.
     */
    final void add(ScheduledTask<?> task) {
        if (!attended && TAKEN.compareAndSet(this, false, true)) {
            answerRequests();
            stampAndMeasureBurst(task);
            reconcile(task);
            release();
        } else {
            task.markNewAsQueued();
            leave(task);
        }
    }

    /** Makes the wheel agree with the task's state, now or through whoever answers the requests. */
    final void request(ScheduledTask<?> task) {
        if (task.isStamped() && TAKEN.compareAndSet(this, false, true)) {
            reconcile(task);
            answered++;
            release();
        } else if (task.markQueued()) {
            leave(task);
        }
    }

    private void leave(ScheduledTask<?> task) {
        boolean isLong = push(task) >= LONG_STACK;
        // Whoever ends the attention looks at the stack after that.
        if ((isLong || !attended) && TAKEN.compareAndSet(this, false, true)) {
            giveUp();
        }
    }

    /** Returns how many requests the stack has now, this one included. */
    private int push(ScheduledTask<?> task) {
        ScheduledTask<?> first;
        do {
            first = requests;
            task.nextRequest = first;
            task.requestDepth = first == null ? 1 : first.requestDepth + 1;
        } while (!REQUESTS.compareAndSet(this, first, task));
        return task.requestDepth;
    }

    private void stampAndMeasureBurst(ScheduledTask<?> task) {
        long now = now();
        task.stamp(now);
        burst = now - lastStamp < BURST_GAP_NANOS ? burst + 1 : 0;
        lastStamp = now;
        if (burst > 0 && burst % BURST == 0) {
            // Wakes the thread, which then sees the burst.
            earliest = 0;
        }
    }

    private void reconcile(ScheduledTask<?> task) {
        tasks.reconcile(task);
        if (task.slot >= 0) {
            earliest = Math.min(earliest, task.deadlineNanos());
        }
    }

    /** Takes the wheel, waiting for whoever has it, and answers the requests. */
    final void take() {
        int spins = 0;
        while (!TAKEN.compareAndSet(this, false, true)) {
            spins = Patience.pause(spins);
        }
        answerRequests();
    }

    /** Answers the requests that came meanwhile, and gives the wheel up. */
    final void giveUp() {
        answerRequests();
        release();
    }

    /**
     * Gives the wheel up, and looks whether somebody who found it taken has left a request, unless the thread attends
     * to those. Only the one who has the wheel changes whether it attends, so no fence orders that look.
     */
    void release() {
        if (attended) {
            long first = takeEarliest();
            TAKEN.setRelease(this, false);
            wakeBefore(first);
            return;
        }
        letGo();
        while (requests != null && !attended && TAKEN.compareAndSet(this, false, true)) {
            answerRequests();
            letGo();
        }
    }

    final void letGo() {
        long first = takeEarliest();
        taken = false;
        wakeBefore(first);
    }

    private long takeEarliest() {
        long first = earliest;
        earliest = Long.MAX_VALUE;
        return first;
    }

    private void wakeBefore(long first) {
        if (first != Long.MAX_VALUE) {
            sleeper.accept(first);
        }
    }

    /**
     * The stack has the last one first; they are answered in the order in which they came. Links of their own keep them
     * meanwhile, so that this needs no memory and cannot fail halfway.
     */
    private void answerRequests() {
        ScheduledTask<?> task = requests == null ? null : (ScheduledTask<?>) REQUESTS.getAndSet(this, null);
        if (task == null) {
            return;
        }
        ScheduledTask<?> answering = null;
        while (task != null) {
            ScheduledTask<?> next = task.nextRequest;
            task.nextRequest = null;
            task.nextAnswer = answering;
            answering = task;
            task.unmarkQueued();
            task = next;
        }
        // After this the state of each is read: who changes it later puts the task among the requests again.
        VarHandle.fullFence();
        long now = now();
        while (answering != null) {
            ScheduledTask<?> next = answering.nextAnswer;
            answering.nextAnswer = null;
            answering.stamp(now);
            reconcile(answering);
            answered++;
            answering = next;
        }
    }

    /** Makes all tasks agree with the wheel for which {@link #request} has returned. */
    final void answer() {
        take();
        giveUp();
    }

    /** Returns when the wheel has something to do next, or {@link Long#MAX_VALUE}. */
    final long nextNanos() {
        take();
        long next = tasks.nextNanos();
        giveUp();
        return next;
    }

    final boolean isAttended() {
        return attended;
    }

    /** Attends before there is a burst; for proofs. */
    final void attendFromNowOn() {
        attended = true;
    }

    /**
     * For the thread that attends: begins to when there is a burst, and ends it when there were few requests since the
     * last time. Only for whoever has the wheel, who looks for requests after it.
     */
    final void attend() {
        if (attended) {
            attended = answered >= BURST;
        } else {
            attended = burst >= BURST;
        }
        answered = 0;
        burst = 0;
    }
}
