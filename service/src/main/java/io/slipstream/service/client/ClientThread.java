package io.slipstream.service.client;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * A thread that many clients share, for a process that needs many sessions: see {@link
 * ServiceClient.Builder#thread(ClientThread)}. A client that is built without one has a thread of its own.
 *
 * <pre>{@code
 * try (ClientThread thread = ClientThread.builder("desks").start();
 *         ServiceClient one = ServiceClient.builder("localhost", 4700).thread(thread).connect();
 *         ServiceClient two = ServiceClient.builder("localhost", 4700).thread(thread).connect()) {
 *     one.send(order).thenAccept(reply -> two.send(hedge));
 * }
 * }</pre>
 *
 * <p>It keeps the connections of its clients and completes their futures, so what blocks in a stage of one of them
 * holds up all of them, and so does a host whose name takes long to look up. Close the clients before the thread; those
 * that are left end with it, as by {@link ServiceClient#disconnect}. Any thread may call any method.
 */
public final class ClientThread implements Executor, AutoCloseable {
    /* The links also look at the clock. */
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;
    private static final long END_PAUSE_NANOS = 50_000;

    private final Host machine;
    private final ClientLoop loop;
    private final Host.Task task;

    private ClientThread(Builder builder, boolean isShared) throws IOException {
        this.machine = builder.machine;
        this.loop = new ClientLoop(machine, isShared);
        Worker.Builder worker = Worker.builder(builder.name, List.of(loop))
                .waitStrategy(builder.waiting.sleepingAtMost(LONGEST_SLEEP_NANOS))
                .signal(loop.signal());
        if (builder.daemon) {
            worker.threadFactory(Thread.ofPlatform().daemon().factory());
        }
        this.task = machine.task(worker);
    }

    /** Begins to describe a thread of that name. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Runs an action on the thread. What it sends is taken without waiting, as in a stage of a future of these clients;
     * it must not block, either. What was handed over before the thread is closed still runs.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the thread was closed
     */
    @Override
    public void execute(Runnable action) {
        loop.execute(Objects.requireNonNull(action, "action"));
    }

    /** Ends all of its clients, and the thread. */
    @Override
    public void close() {
        task.close();
    }

    void begin() {
        task.start();
    }

    Host machine() {
        return machine;
    }

    ClientLoop loop() {
        return loop;
    }

    boolean isAlive() {
        return task.isAlive();
    }

    /** Ends a link, and waits for that, but for the own thread. */
    void end(ClientLink link) {
        link.endSoon();
        loop.wake();
        while (!loop.isOwnThread() && task.isAlive() && !link.hasEnded()) {
            machine.pause(END_PAUSE_NANOS);
        }
    }

    /** Describes a thread. */
    public static final class Builder {
        private final String name;
        private Host machine = Host.system();
        private WaitStrategy waiting = WaitStrategy.parking();
        private boolean daemon;

        Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        /** Sets how the thread waits; by default it parks. */
        public Builder waiting(WaitStrategy waiting) {
            this.waiting = Objects.requireNonNull(waiting, "waiting");
            return this;
        }

        /** Lets the JVM end although the thread is not closed. */
        public Builder daemon() {
            this.daemon = true;
            return this;
        }

        /** Sets what the thread and its clients take time and sockets from; by default the machine that it runs on. */
        public Builder machine(Host machine) {
            this.machine = Objects.requireNonNull(machine, "machine");
            return this;
        }

        /**
         * Starts the thread.
         *
         * @throws IOException if there is no selector
         */
        public ClientThread start() throws IOException {
            ClientThread thread = new ClientThread(this, true);
            thread.begin();
            return thread;
        }

        /** Creates a thread for one client, which begins it. */
        ClientThread build() throws IOException {
            return new ClientThread(this, false);
        }
    }
}
