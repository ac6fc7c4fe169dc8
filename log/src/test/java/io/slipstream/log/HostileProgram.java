package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What no program should do to its log, on a small heap, as long as it is told to: messages made up with {@code +},
 * loggers by the million, megabytes of key-values, exceptions without a message, threads by the ten thousand. It ends
 * with how many messages it has logged.
 */
final class HostileProgram {
    private static final int LOGGERS = 20_000;
    private static final int MADE_UP = 20_000;
    private static final int BROKEN = 2_000;
    private static final int LARGE = 20;
    private static final int LONG_NAME = 100_000;
    private static final String MEGABYTES = "v".repeat(2 << 20);

    private final LogSystem system;
    private final AtomicLong logged = new AtomicLong();
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private long turn;

    private HostileProgram(LogSystem system) {
        this.system = system;
    }

    /** Everything that it can do throws, or never ends. */
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("no message");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            return this;
        }
    }

    private static final class Endless {
        @Override
        public String toString() {
            return "x" + this;
        }
    }

    private static final class Nothing {
        @Override
        public @Nullable String toString() {
            return null;
        }
    }

    private void madeUp() {
        for (int i = 0; i < MADE_UP; i++) {
            Log log = system.log("made.up" + i % 17);
            String text = "order " + random.nextLong() + " of " + i;
            switch (i % 3) {
                case 0 -> log.info(text);
                case 1 -> log.error(text + " failed {}", i, new Exception("no"));
                default -> log.atWarn(text + " {}").add(i).log();
            }
            logged.incrementAndGet();
        }
    }

    private void loggers() {
        for (int i = 0; i < LOGGERS; i++) {
            Log log = system.log("logger." + turn + "." + i);
            for (int time = 0; time < 5; time++) {
                log.info("a literal {}", i);
                logged.incrementAndGet();
            }
        }
    }

    private void large() {
        for (int i = 0; i < LARGE; i++) {
            Object[] values = {i, Arguments.key("large"), MEGABYTES, Arguments.key("k".repeat(LONG_NAME)), 1};
            system.log("large").log(Level.INFO, "large {}", values, values.length);
            system.log("large").info(MEGABYTES + i);
            system.log("l".repeat(LONG_NAME) + i).info("of a large name");
            logged.addAndGet(3);
        }
    }

    private void broken() {
        Exception cyclic = new Exception("outer", new Exception("inner"));
        cyclic.addSuppressed(new Broken());
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        for (int i = 0; i < BROKEN; i++) {
            Log log = system.log("broken");
            log.error("broken {}", i, new Broken());
            log.error("cyclic {}", i, cyclic);
            log.warn("nothing {} {}", new Nothing(), null);
            logged.addAndGet(3);
            if (i % 100 == 0) {
                log.warn("endless {} {}", new Endless(), itself);
                logged.incrementAndGet();
            }
        }
    }

    private void threads(int count, boolean virtual) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = virtual || i % 2 == 0 ? "thread " + turn + " " + i : "";
            Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
            threads.add(builder.name(name).start(() -> {
                system.log("threads").info("from a thread");
                logged.incrementAndGet();
            }));
            if (threads.size() == 500) {
                for (Thread each : threads) {
                    each.join();
                }
                threads.clear();
            }
        }
        for (Thread each : threads) {
            each.join();
        }
    }

    /** One of all, each on a thread of its own. */
    private void round(int threads) throws InterruptedException {
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        List<Thread> running = new ArrayList<>();
        for (Runnable part : List.<Runnable>of(this::madeUp, this::loggers, this::large, this::broken)) {
            running.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((_, e) -> failed.set(e))
                    .start(part));
        }
        threads(threads, true);
        threads(threads / 100, false);
        for (Thread each : running) {
            each.join();
        }
        Throwable e = failed.get();
        if (e != null) {
            throw new IllegalStateException("a call has thrown", e);
        }
        turn++;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000;
        LogConfig config = LogConfig.console().with("pattern", "#%p %c{0} %m {%k}%n");
        LogSystem system = LogSystem.open(config);
        HostileProgram program = new HostileProgram(system);
        do {
            program.round(Integer.parseInt(arguments[1]));
        } while (System.nanoTime() - end < 0);
        system.close();
        System.err.println(program.logged.get() + " messages in " + program.turn + " rounds");
    }
}
