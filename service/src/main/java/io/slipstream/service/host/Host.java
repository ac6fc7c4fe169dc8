package io.slipstream.service.host;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * All that a service or a client takes from the machine that it runs on. Whoever gives another host than
 * {@link #system()} decides about time, network, disk, threads and chance, as a simulation does.
 *
 * <p>Any thread may call any method.
 */
public interface Host {
    /** Returns the host that the process runs on. */
    static Host system() {
        return SystemHost.INSTANCE;
    }

    /** Returns a time that never goes back, in nanoseconds from an arbitrary origin. */
    long nanoTime();

    /** Returns the time of day in nanoseconds since 1970; it may go back. */
    long epochNanos();

    /** Returns a number that nobody can guess. */
    long secret();

    /** Returns where sockets and selectors come from. */
    SelectorProvider network();

    /** Opens the folder of a journal; it is made if it does not exist. */
    Storage storage(Path directory) throws IOException;

    /** Makes what carries out the duties of {@code worker}; {@link Task#start} begins it. */
    Task task(Worker.Builder worker);

    /** Returns the threads of code that blocks. */
    default Threads threads() {
        return Threads.system();
    }

    /** Runs {@code action} once, on none of the threads of the tasks. */
    void run(String name, Runnable action);

    /**
     * Wakes {@code signal} when a deadline has come.
     *
     * @param deadline in nanoseconds since 1970; {@link Long#MAX_VALUE} for none. It may change at any time
     * @return ends that when it is closed
     */
    Alarm alarm(LongSupplier deadline, Signal signal);

    /**
     * Runs {@code look} at once and then every {@code pauseNanos} on a thread of its own, which goes on also when all
     * others hang, and whatever a look throws: the handler of uncaught exceptions gets that, once a minute at most. On
     * a host where no time passes during a command, nothing does.
     *
     * @return ends that when it is closed, without waiting
     */
    default Alarm watch(String name, long pauseNanos, Runnable look) {
        return () -> {};
    }

    /** Lets the caller wait for {@code nanos}, or less. */
    void pause(long nanos);

    /** Lets other threads go on for a moment, for a caller that looks again and again for what they do. */
    default void giveWay() {
        Thread.yield();
    }

    /**
     * Returns whether the code should behave at {@code point} as it rarely does. Never on a real machine, where the
     * compiler leaves the question out.
     */
    default boolean strikes(FaultPoint point) {
        return false;
    }

    /** Duties that are being carried out. */
    interface Task extends AutoCloseable {
        /** Begins; once. */
        void start();

        /** Returns whether it was started and has not ended. */
        boolean isAlive();

        /** Ends it, and waits for that. */
        @Override
        void close();

        /** Ends it, and waits for that no longer than so many nanoseconds; returns whether it has ended. */
        default boolean end(long nanos) {
            close();
            return true;
        }
    }

    /** Wakes somebody in time, until it is closed. */
    interface Alarm extends AutoCloseable {
        @Override
        void close();
    }
}
