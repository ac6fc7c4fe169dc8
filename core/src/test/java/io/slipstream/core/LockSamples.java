package io.slipstream.core;

import io.slipstream.core.thread.Patience;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The broken twins of {@link HotPathTakesNoLockTest}: each {@code hot} of these but the last reaches a lock, in one
 * way.
 */
@SuppressWarnings("unused")
final class LockSamples {
    private LockSamples() {}

    interface Step {
        void go();
    }

    static final class Monitor {
        private int count;

        void hot() {
            step();
        }

        private void step() {
            synchronized (this) {
                count++;
            }
        }
    }

    static final class Lambda {
        private int count;

        void hot() {
            Runnable made = () -> step();
            made.run();
        }

        private synchronized void step() {
            count++;
        }
    }

    static final class Reference {
        private int count;

        void hot() {
            Runnable made = this::step;
            made.run();
        }

        private synchronized void step() {
            count++;
        }
    }

    static final class LambdaMadeBefore {
        private final Step made = this::step;
        private int count;

        void hot() {
            made.go();
        }

        private synchronized void step() {
            count++;
        }
    }

    abstract static class OpenStep {
        abstract void go();
    }

    static final class LockedStep extends OpenStep {
        private final Lock lock = new ReentrantLock();
        private int count;

        @Override
        synchronized void go() {
            count++;
        }
    }

    static final class OverrideOfAStep {
        void hot(OpenStep step) {
            step.go();
        }
    }

    static final class Construction {
        OpenStep hot() {
            return new LockedStep();
        }
    }

    static class Parent {
        private int count;

        synchronized void step() {
            count++;
        }
    }

    static final class Inherited extends Parent {
        void hot() {
            step();
        }
    }

    static final class SpinLock {
        private final AtomicBoolean taken = new AtomicBoolean();

        void hot() {
            int spins = 0;
            while (!taken.compareAndSet(false, true)) {
                spins = Patience.pause(spins);
            }
            taken.set(false);
        }
    }

    static final class Parked {
        void hot() {
            LockSupport.parkNanos(1);
        }
    }

    static final class Sleep {
        void hot() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class LockedMap {
        private final ConcurrentMap<String, String> map = new ConcurrentHashMap<>();

        String hot() {
            return map.computeIfAbsent("key", key -> key);
        }
    }

    static final class SynchronizedList {
        private final Vector<Integer> list = new Vector<>();

        void hot() {
            list.add(1);
        }
    }

    static final class NoLock {
        private final ConcurrentMap<String, String> map = new ConcurrentHashMap<>();
        private final List<Integer> list = List.of(1);

        int hot() {
            return step() + list.size();
        }

        private int step() {
            return map.get("key") == null ? 0 : 1;
        }
    }
}
