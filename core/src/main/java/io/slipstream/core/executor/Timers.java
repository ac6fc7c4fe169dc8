package io.slipstream.core.executor;

import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.thread.Signal;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * The delayed tasks of an executor: a wheel that any thread may change, and a thread that sleeps until the next one is due and then
 * hands it to the workers.
 *
 * <p>Who wants to change the wheel and finds it taken leaves its request on a stack; whoever has the wheel looks there after giving it
 * up. So nobody waits, and a cancelled task leaves the wheel at once. The thread is started with the first task.
 *
 * <p>Each task that waits is in one of three places: the wheel, those that were reached but for which the workers have no place yet, and
 * the queue of those that are due. The first two belong to whoever has the wheel, so who withdraws all misses none. Who adds one looks
 * after that whether all were withdrawn.
 *
 * <p>Reading the clock costs more than the rest of a timer. When many come in a burst, the thread attends: it looks for requests every
 * {@link #ATTENTION_NANOS}, and meanwhile all are left on the stack. Whoever answers them reads the clock once for all, after they were made,
 * so that delays count from a little later and no task is early. Long stacks are answered by those who add to them.
 *
 * <pre>
 *   not attended   request -> wheel, or stack if the wheel is taken     the thread sleeps until the next deadline
 *        |  BURST tasks, each within BURST_GAP_NANOS of the last
 *        v
 *   attended       request -> stack -> wheel, in batches                the thread looks every ATTENTION_NANOS
 *        |  fewer than BURST requests in one such time
 *        v
 *   not attended
 * </pre>
 */
class Timers implements Runnable {
    private static final VarHandle TAKEN = fieldVarHandle(lookup(), "taken", VarHandle.class, Timers.class, boolean.class);
    private static final VarHandle REQUESTS = fieldVarHandle(
            lookup(), "requests", VarHandle.class, Timers.class, ScheduledTask.class);
    private static final int DUE_PLACES = 4096;
    private static final long RETRY_NANOS = 50_000;
    private static final int BURST = 64;
    private static final long BURST_GAP_NANOS = 1_000;
    private static final long ATTENTION_NANOS = 50_000;
    private static final int LONG_STACK = 32;

    final TimerWheel wheel = new TimerWheel();
    private final LockFreeExecutor executor;
    private final int capacity;
    private final Admission admission;
    private final ThreadFactory factory;
    private final ManyToManyQueue<Runnable> due;
    private final Signal signal = new Signal();
    private final long origin = System.nanoTime();
    private volatile @Nullable Thread thread;
    private volatile boolean taken;
    private volatile boolean closed;
    private volatile boolean withdrawn;
    private volatile @Nullable ScheduledTask<?> requests;
    private volatile long sleepsUntil = Long.MAX_VALUE;
    private volatile boolean attended;

    /* What follows belongs to whoever has the wheel. */
    private final PriorityQueue<ScheduledTask<?>> reached = new PriorityQueue<>();
    private final List<ScheduledTask<?>> answering = new ArrayList<>();
    private long answered;
    private long earliest = Long.MAX_VALUE;
    private long lastStamp;
    private int burst;

    Timers(LockFreeExecutor executor, String name, boolean daemon, int limit) {
        this(executor, Thread.ofPlatform().name(name + "-timers").daemon(daemon).factory(), limit, DUE_PLACES);
    }

    Timers(LockFreeExecutor executor, ThreadFactory factory, int limit, int duePlaces) {
        this.executor = executor;
        this.factory = factory;
        this.capacity = limit;
        this.admission = new Admission(limit);
        this.due = new ManyToManyQueue<>(duePlaces);
    }

    /** Nanoseconds since this was created. */
    long now() {
        return System.nanoTime() - origin;
    }

    boolean isClosed() {
        return closed;
    }

    int count() {
        return admission.count();
    }

    int capacity() {
        return capacity;
    }

    boolean hasDue() {
        return !due.isEmpty();
    }

    int dueCount() {
        return due.size();
    }

    @Nullable Runnable pollDue() {
        return due.relaxedPoll();
    }

    /** Accepts a task that is due {@code delayNanos} from now, or returns null if there is no place or this was closed. */
    <V> @Nullable ScheduledTask<V> schedule(Callable<V> action, long delayNanos, long periodNanos) {
        if (!admission.tryAdmit()) {
            return null;
        }
        long delay = Math.clamp(delayNanos, 0, Long.MAX_VALUE >> 1);
        ScheduledTask<V> task = new ScheduledTask<>(this, action, ScheduledTask.unstamped(delay), periodNanos);
        if (thread == null) {
            start();
        }
        enter(task);
        return task;
    }

    /** Starts the thread. If that fails, the next task tries again. */
    private void start() {
        boolean started = false;
        try {
            synchronized (this) {
                if (thread == null) {
                    Thread made = factory.newThread(this);
                    made.start();
                    thread = made;
                }
            }
            started = true;
        } finally {
            if (!started) {
                settled();
            }
        }
    }

    /** Lets a new task wait until it is due, unless this was closed meanwhile. */
    final void enter(ScheduledTask<?> task) {
        add(task);
        leaveIfClosed(task);
    }

    /** Lets a periodic task wait for the next time. */
    final void enterAgain(ScheduledTask<?> task) {
        request(task);
        leaveIfClosed(task);
    }

    /** What closes this looks at all tasks once; one that was added too late for that must leave by itself, if nobody has taken it back. */
    void leaveIfClosed(ScheduledTask<?> task) {
        if (withdrawn ? task.settle() : closed && task.isPeriodic()) {
            task.cancel(false);
        }
    }

    /** Puts a new task into the wheel, now or through whoever answers the requests. Those that came before it count first. */
    void add(ScheduledTask<?> task) {
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
    void request(ScheduledTask<?> task) {
        if (task.isStamped() && TAKEN.compareAndSet(this, false, true)) {
            reconcile(task);
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
        wheel.reconcile(task);
        if (task.slot >= 0) {
            earliest = Math.min(earliest, task.deadlineNanos());
        }
    }

    final void take() {
        while (!TAKEN.compareAndSet(this, false, true)) {
            Thread.yield();
        }
    }

    final void giveUp() {
        answerRequests();
        release();
    }

    /** Gives the wheel up, and looks whether somebody who found it taken has left a request, unless the thread attends to those. */
    private void release() {
        letGo();
        while (requests != null && !attended && TAKEN.compareAndSet(this, false, true)) {
            answerRequests();
            letGo();
        }
    }

    private void letGo() {
        long first = earliest;
        earliest = Long.MAX_VALUE;
        taken = false;
        if (first < sleepsUntil) {
            signal.wake();
        }
    }

    /** The stack has the last one first; they are answered in the order in which they came. */
    private void answerRequests() {
        ScheduledTask<?> task = requests == null ? null : (ScheduledTask<?>) REQUESTS.getAndSet(this, null);
        if (task == null) {
            return;
        }
        while (task != null) {
            ScheduledTask<?> next = task.nextRequest;
            task.nextRequest = null;
            answering.add(task);
            task.unmarkQueued();
            task = next;
        }
        // After this the state of each is read: who changes it later puts the task among the requests again.
        VarHandle.fullFence();
        long now = now();
        for (int i = answering.size() - 1; i >= 0; i--) {
            answering.get(i).stamp(now);
            reconcile(answering.get(i));
        }
        answered += answering.size();
        answering.clear();
    }

    /** Attends before there is a burst; for proofs. */
    void attendFromNowOn() {
        attended = true;
    }

    /** Returns whether a task stands in the wheel, or a request on the stack; for proofs. */
    boolean isAnythingLeft() {
        take();
        answerRequests();
        boolean isLeft = wheel.nextNanos() != Long.MAX_VALUE;
        giveUp();
        return isLeft;
    }

    /** Makes all tasks agree with the wheel for which {@link #request} has returned. */
    void answer() {
        take();
        giveUp();
    }

    void settled() {
        if (admission.release()) {
            signal.wake();
            executor.wakeAll();
        }
    }

    /** Accepts no further tasks. */
    void close() {
        admission.close();
        closed = true;
        signal.wake();
    }

    /** Cancels the periodic tasks, and leaves the others; only after {@link #close}. */
    void cancelPeriodic() {
        List<ScheduledTask<?>> all = new ArrayList<>();
        take();
        answerRequests();
        wheel.removeAll(all);
        for (ScheduledTask<?> task : all) {
            if (!task.isPeriodic()) {
                wheel.reconcile(task);
            }
        }
        giveUp();
        for (ScheduledTask<?> task : all) {
            if (task.isPeriodic()) {
                task.cancel(false);
            }
        }
    }

    /** Takes back every task that no worker has taken; only after {@link #close}. */
    void withdrawAll(List<Runnable> target) {
        withdrawn = true;
        List<ScheduledTask<?>> waiting = new ArrayList<>();
        take();
        answerRequests();
        Runnable entry;
        while ((entry = due.poll()) != null) {
            waiting.add((ScheduledTask<?>) LatencyProbe.unwrap(entry));
        }
        waiting.addAll(reached);
        reached.clear();
        wheel.removeAll(waiting);
        giveUp();
        waiting.sort(null);
        for (ScheduledTask<?> task : waiting) {
            if (task.settle() && !task.isDone()) {
                target.add(task);
            }
        }
        signal.wake();
    }

    /** Waits for the end of the thread, if it was started; only after {@link #close}. */
    void awaitEnd() {
        Thread started = thread;
        if (started == null) {
            return;
        }
        signal.wake();
        boolean interrupted = false;
        while (started.isAlive()) {
            try {
                started.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        while (!isFinished()) {
            boolean isAnyLeft = round();
            if (isAnyLeft) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            } else if (attended) {
                LockSupport.parkNanos(this, ATTENTION_NANOS);
            } else {
                sleep();
            }
        }
    }

    /** Hands over what is due; returns whether some is left, since the workers have no place for it. */
    boolean round() {
        take();
        answerRequests();
        wheel.advance(now(), reached);
        int handed = handOver();
        boolean isAnyLeft = !reached.isEmpty();
        attend();
        giveUp();
        for (int i = 0; i < handed || isAnyLeft && i == 0; i++) {
            executor.wakeOne();
        }
        return isAnyLeft;
    }

    /** Returns how many were handed over. Only with the wheel. */
    private int handOver() {
        int handed = 0;
        ScheduledTask<?> task;
        while ((task = reached.peek()) != null && (task.isDone() || offer(task))) {
            reached.poll();
            handed++;
        }
        return handed;
    }

    final boolean offer(ScheduledTask<?> task) {
        Runnable entry = executor.probe.mayTake(task);
        if (due.offer(entry)) {
            return true;
        }
        LatencyProbe.unwrap(entry);
        return false;
    }

    /** Begins to attend when there is a burst, and ends it when there were few requests since the last time. Only with the wheel. */
    void attend() {
        if (attended) {
            attended = answered >= BURST;
        } else {
            attended = burst >= BURST;
        }
        answered = 0;
        burst = 0;
    }

    private boolean isFinished() {
        return closed && admission.count() == 0;
    }

    /** Sleeps until the next deadline. Who makes an earlier one sees how long this sleeps, or is seen in the look after arming. */
    private void sleep() {
        signal.arm();
        long next = nextNanos();
        sleepsUntil = next;
        VarHandle.fullFence();
        if (nextNanos() == next && !isFinished() && next > now()) {
            signal.sleep(next - now());
        } else {
            signal.disarm();
        }
        sleepsUntil = 0;
    }

    private long nextNanos() {
        take();
        answerRequests();
        long next = wheel.nextNanos();
        giveUp();
        return next;
    }
}
