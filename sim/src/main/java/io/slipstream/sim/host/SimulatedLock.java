package io.slipstream.sim.host;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A lock for which a simulated thread waits as for anything else. On a dead machine everybody has it. */
final class SimulatedLock implements Lock {
    private final SimulatedHost host;
    private @Nullable SimulatedThread owner;
    private int holds;

    SimulatedLock(SimulatedHost host) {
        this.host = host;
    }

    @Override
    public void lock() {
        SimulatedThread self = SimulatedThread.current();
        if (holds > 0 && owner != self && !host.isDead()) {
            SimulatedThread.await(host, () -> holds == 0, SimulatedThread.FOREVER);
        }
        take(self, (owner == self ? holds : 0) + 1);
    }

    @Override
    public void unlock() {
        if (owner == SimulatedThread.current() && holds > 0) {
            holds--;
            if (holds == 0) {
                host.wake();
            }
        } else if (!host.isDead()) {
            throw new IllegalMonitorStateException("somebody else has the lock");
        }
    }

    @Override
    public Condition newCondition() {
        return new News();
    }

    @Override
    public void lockInterruptibly() {
        throw unsupported();
    }

    @Override
    public boolean tryLock() {
        throw unsupported();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        throw unsupported();
    }

    private void take(@Nullable SimulatedThread self, int newHolds) {
        owner = self;
        holds = newHolds;
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("simulated threads take a lock, and wait for it as long as it takes");
    }

    /** What is told to who has the lock. */
    private final class News implements Condition {
        private long told;

        @Override
        public boolean await(long time, TimeUnit unit) {
            SimulatedThread self = SimulatedThread.current();
            long before = told;
            int kept = holds;
            holds = 0;
            host.wake();
            try {
                SimulatedThread.await(host, () -> told != before, unit.toNanos(time));
                SimulatedThread.await(host, () -> holds == 0, SimulatedThread.FOREVER);
            } finally {
                take(self, kept);
            }
            return told != before;
        }

        @Override
        public void await() {
            boolean ignored = await(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        }

        @Override
        public void signalAll() {
            told++;
            host.wake();
        }

        @Override
        public void signal() {
            signalAll();
        }

        @Override
        public void awaitUninterruptibly() {
            throw unsupported();
        }

        @Override
        public long awaitNanos(long nanos) {
            throw unsupported();
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw unsupported();
        }
    }
}
