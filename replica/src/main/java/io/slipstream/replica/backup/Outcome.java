package io.slipstream.replica.backup;

import io.slipstream.service.host.Threads;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** What some threads wait for and another one tells, once. They wait as all threads of their host do. */
final class Outcome<T> {
    private final Lock lock;
    private final Condition told;
    private @Nullable T value;
    private @Nullable Throwable failure;

    Outcome(Threads threads) {
        this.lock = threads.lock();
        this.told = lock.newCondition();
    }

    void is(T newValue) {
        tell(newValue, null);
    }

    void fails(Throwable reason) {
        tell(null, reason);
    }

    private void tell(@Nullable T newValue, @Nullable Throwable reason) {
        lock.lock();
        try {
            value = newValue;
            failure = reason;
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for it.
     *
     * @param otherwise what to say before the reason if it has failed
     */
    T get(String otherwise) throws IOException {
        lock.lock();
        try {
            while (true) {
                T there = value;
                if (there != null) {
                    return there;
                }
                if (failure != null) {
                    throw new IOException(otherwise + failure, failure);
                }
                told.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }
}
