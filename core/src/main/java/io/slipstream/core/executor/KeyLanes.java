package io.slipstream.core.executor;

import io.slipstream.core.queue.ManyToManyQueue;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * All lanes of an executor, and those of them that wait for a worker.
 *
 * <p>Each waiting task holds a place of the admission, and a lane waits only if it has a task; so the queue of lanes, which is as long as
 * there are places, always has room.
 */
final class KeyLanes {
    private static final int TASKS_PER_TURN = 32;
    private static final int IDLE_LANES_KEPT = 4096;

    private final ConcurrentMap<Object, KeyLane> lanes = new ConcurrentHashMap<>();
    private final ManyToManyQueue<KeyLane> ready;
    private final Admission admission;

    KeyLanes(int capacity) {
        this.ready = new ManyToManyQueue<>(capacity);
        this.admission = new Admission(capacity);
    }

    int depth() {
        return admission.count();
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    void close() {
        admission.close();
    }

    /** Accepts a task if there is a place. */
    boolean tryAdd(Object key, Runnable task) {
        if (!admission.tryAdmit()) {
            return false;
        }
        while (true) {
            KeyLane lane = lanes.get(key);
            if (lane == null) {
                lane = lanes.computeIfAbsent(key, KeyLane::new);
            }
            KeyLane.Added added = lane.add(task);
            if (added == KeyLane.Added.FIRST) {
                hand(lane);
            }
            if (added != KeyLane.Added.RETIRED) {
                return true;
            }
            lanes.remove(key, lane);
        }
    }

    /** Gives one waiting lane a turn on the calling worker; returns whether there was one. */
    boolean runOne(ExecutorWorker worker) {
        KeyLane lane = ready.relaxedPoll();
        if (lane == null) {
            return false;
        }
        if (lane.run(worker, admission, TASKS_PER_TURN)) {
            hand(lane);
        } else if (lanes.size() > IDLE_LANES_KEPT && lane.retire()) {
            lanes.remove(lane.key, lane);
        }
        return true;
    }

    @Nullable Runnable withdrawOldest(Object key) {
        KeyLane lane = lanes.get(key);
        Runnable task = lane == null ? null : lane.withdrawFirst();
        if (task != null) {
            admission.release();
        }
        return task;
    }

    void withdrawAll(List<Runnable> target) {
        for (KeyLane lane : lanes.values()) {
            lane.withdrawAll(target, admission);
        }
    }

    private void hand(KeyLane lane) {
        if (!ready.offer(lane)) {
            throw new AssertionError("more lanes wait than tasks");
        }
    }
}
