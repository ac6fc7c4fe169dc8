package io.slipstream.benchmarks.service;

import com.typesafe.config.ConfigFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/** The machine of {@link Counting} as a persistent actor of Apache Pekko, with LevelDB as its journal. */
final class PersistentActor implements AutoCloseable {
    private static final int IN_FLIGHT = 512;

    private final ActorSystem<byte[]> system;
    private final AtomicLong answered = new AtomicLong();
    private long sent;

    PersistentActor(Path folder, boolean forces) {
        system = ActorSystem.create(
                new Counter(answered),
                "benchmark",
                ConfigFactory.parseString(String.format(Locale.ROOT, """
                    pekko.loglevel = OFF
                    pekko.stdout-loglevel = OFF
                    pekko.log-dead-letters = off
                    pekko.jvm-shutdown-hooks = off
                    pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                    pekko.persistence.journal.plugin = "pekko.persistence.journal.leveldb"
                    pekko.persistence.journal.leveldb.dir = "%s"
                    pekko.persistence.journal.leveldb.fsync = %s
                    pekko.persistence.snapshot-store.plugin = "pekko.persistence.no-snapshot-store"
                    """, folder, forces ? "on" : "off"))
                        .withFallback(ConfigFactory.load()));
    }

    /** Lets the actor persist so many events of 64 bytes, and returns how many it persisted in a second. */
    double run(int commands) {
        long begin = System.nanoTime();
        long until = sent + commands;
        while (sent < until) {
            if (sent - answered.get() < IN_FLIGHT) {
                byte[] event = new byte[64];
                ByteBuffer.wrap(event).putLong(sent++);
                system.tell(event);
            } else {
                LockSupport.parkNanos(10_000);
            }
        }
        while (answered.get() < until) {
            LockSupport.parkNanos(10_000);
        }
        return commands / ((System.nanoTime() - begin) / 1e9);
    }

    @Override
    public void close() {
        system.terminate();
        try {
            system.getWhenTerminated().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Counter extends EventSourcedBehavior<byte[], byte[], long[]> {
        private final AtomicLong answered;

        Counter(AtomicLong answered) {
            super(PersistenceId.ofUniqueId("counter"));
            this.answered = answered;
        }

        @Override
        public long[] emptyState() {
            return new long[2];
        }

        @Override
        public CommandHandler<byte[], byte[], long[]> commandHandler() {
            return (state, command) -> Effect().persist(command).thenRun(answer -> answered.set(answer[0]));
        }

        @Override
        public EventHandler<long[], byte[]> eventHandler() {
            return (state, event) -> {
                state[0]++;
                state[1] += ByteBuffer.wrap(event).getLong();
                return state;
            };
        }
    }
}
