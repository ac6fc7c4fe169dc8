package io.slipstream.core.executor;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.queue.ManyToManyQueue;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * All lanes of an executor, and those of them that wait for a worker.
 *
 * <p>Each waiting task holds a place of the admission until it begins, and nothing but a worker lowers the number of a
 * lane's tasks; so a lane that waits has a place, and the queue of lanes, which is as long as there are places, always
 * has room. After the end of admission tasks are withdrawn without that, but then no further lane comes.
 */
class KeyLanes {
    private static final VarHandle READY =
            fieldVarHandle(lookup(), "ready", VarHandle.class, KeyLanes.class, ManyToManyQueue.class);
    private static final int TASKS_PER_TURN = 32;
    private static final int IDLE_LANES_KEPT = 4096;

    private final ConcurrentMap<Object, KeyLane> lanes = new ConcurrentHashMap<>();
    private volatile @Nullable ManyToManyQueue<KeyLane> ready;
    private final int capacity;
    private final PlaceCount admission;
    private final int tasksPerTurn;
    private final int idleLanesKept;

    KeyLanes(int capacity) {
        this(capacity, TASKS_PER_TURN, IDLE_LANES_KEPT);
    }

    /** As the other one, with limits of its own, for proofs. */
    KeyLanes(int capacity, int tasksPerTurn, int idleLanesKept) {
        this.tasksPerTurn = tasksPerTurn;
        this.idleLanesKept = idleLanesKept;
        this.capacity = capacity;
        this.admission = new PlaceCount(capacity);
    }

    int capacity() {
        return capacity;
    }

    /** Returns how many keys are known. */
    int count() {
        return lanes.size();
    }

    int depth() {
        return admission.count();
    }

    boolean hasReady() {
        ManyToManyQueue<KeyLane> queue = ready;
        return queue != null && !queue.isEmpty();
    }

    /** Returns the queue of lanes, which the first task of a key makes, as many executors have none. */
    private ManyToManyQueue<KeyLane> ready() {
        ManyToManyQueue<KeyLane> queue = ready;
        return queue != null ? queue : makeReady();
    }

    private ManyToManyQueue<KeyLane> makeReady() {
        READY.compareAndSet(this, null, new ManyToManyQueue<KeyLane>(capacity));
        return Objects.requireNonNull(ready);
    }

    void close() {
        admission.close();
    }

    /**
     * Accepts a task if there is a place. What a key's own methods throw reaches the caller; then the task was not
     * accepted, and workers that wait for the end are to be woken, since they may have seen its place taken.
     */
    boolean tryAdd(Object key, Runnable task) {
        if (!admission.tryAdmit()) {
            return false;
        }
        ManyToManyQueue<KeyLane> queue;
        KeyLane lane;
        try {
            // Made before the task is added: if there is no memory for it, nobody waits for it.
            queue = ready();
            lane = add(key, task);
        } catch (Throwable e) {
            admission.release();
            throw e;
        }
        if (lane != null) {
            hand(lane, queue);
        }
        return true;
    }

    /** Adds a task to the lane of its key; returns the lane if it must be handed to the workers, or else null. */
    private @Nullable KeyLane add(Object key, Runnable task) {
        while (true) {
            KeyLane lane = lanes.get(key);
            if (lane == null) {
                lane = lanes.computeIfAbsent(key, KeyLane::new);
            }
            KeyLane.Added added = lane.add(task);
            if (added != KeyLane.Added.RETIRED) {
                return added == KeyLane.Added.FIRST ? lane : null;
            }
            lanes.remove(key, lane);
        }
    }

    /** Gives one waiting lane a turn on the calling worker; returns whether there was one. */
    boolean runOne(ExecutorWorker worker) {
        ManyToManyQueue<KeyLane> queue = ready;
        if (queue == null) {
            return false;
        }
        KeyLane lane = queue.relaxedPoll();
        if (lane == null) {
            return false;
        }
        if (lane.run(worker, admission, tasksPerTurn)) {
            hand(lane, queue);
        } else if (lanes.size() > idleLanesKept && mayForget(lane)) {
            lanes.remove(lane.key, lane);
        }
        return true;
    }

    /** Returns whether the lane has no tasks and accepts none any more. */
    boolean mayForget(KeyLane lane) {
        return lane.retire();
    }

    /**
     * Accepts {@code task} in the place of the first one of its key, which is returned; or returns null if none waits.
     */
    @Nullable
    Runnable replaceFirst(Object key, Runnable task) {
        KeyLane lane = lanes.get(key);
        return lane == null ? null : lane.replaceFirst(task);
    }

    /** Takes all tasks back that were not begun; only after {@link #close}. */
    void withdrawAll(List<Runnable> target) {
        for (KeyLane lane : lanes.values()) {
            lane.withdrawAll(target, admission);
        }
    }

    private static void hand(KeyLane lane, ManyToManyQueue<KeyLane> queue) {
        if (!queue.offer(lane)) {
            throw new AssertionError("more lanes wait than tasks");
        }
    }
}
