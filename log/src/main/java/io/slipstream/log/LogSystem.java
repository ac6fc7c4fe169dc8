package io.slipstream.log;

import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.Journal;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Level;
import io.slipstream.log.event.SiteFile;
import io.slipstream.log.event.Sites;
import io.slipstream.log.output.JournalOutput;
import io.slipstream.log.output.Losses;
import io.slipstream.log.output.Output;
import io.slipstream.log.output.TextOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log with its ring and its back end. A process has one, which {@link Log#of} uses; others can be opened beside it.
 * Any thread may call it.
 *
 * <p>What was logged before {@link #flush} or {@link #close} is written when they return, as far as the device takes
 * it.
 */
public final class LogSystem implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final long LOOK_NANOS = 50_000;

    private static final AtomicReference<@Nullable LogConfig> CHOSEN = new AtomicReference<>();
    private static volatile @Nullable LogSystem opened;

    private final LogConfig config;
    private final Sites sites;
    private final @Nullable SiteFile siteFile;
    private final Losses losses;
    private final LogRing ring;
    private final LogWriter writer;
    private final BackEnd backEnd;
    private final @Nullable Worker worker;
    private final PaddedLong written = new PaddedLong(0);
    private final ConcurrentMap<String, Named> logs = new ConcurrentHashMap<>();
    private final ReferenceQueue<Log> collected = new ReferenceQueue<>();
    private final Levels levels;
    private volatile @Nullable Runnable afterLevels;
    private @Nullable Thread hook;
    private boolean closed;

    /** The log of that name, as long as the program keeps it: a table of all would grow with the names it makes up. */
    private static final class Named extends WeakReference<Log> {
        private final String name;

        Named(Log log, ReferenceQueue<Log> collected) {
            super(log, collected);
            this.name = log.name();
        }
    }

    /** The log of this process, made when first asked for. */
    private static final class Shared {
        static final LogSystem INSTANCE = open();

        private Shared() {}

        /** Whoever comes later with a choice finds it taken. */
        private static LogConfig chosen() throws IOException {
            LogConfig chosen = CHOSEN.get();
            LogConfig config = chosen != null ? chosen : LogConfig.find();
            return CHOSEN.compareAndSet(chosen, config) ? config : chosen();
        }

        private static LogSystem open() {
            LogSystem system;
            try {
                system = LogSystem.open(chosen());
            } catch (IOException | IllegalArgumentException e) {
                // A program runs without its log rather than not at all.
                CHOSEN.set(LogConfig.console());
                System.err.println("slipstream-log: " + e.getMessage() + "; logging to the console");
                try {
                    system = LogSystem.open(LogConfig.console());
                } catch (IOException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
            system.endsWithProcess();
            opened = system;
            return system;
        }
    }

    private LogSystem(LogConfig config, PrintStream out, @Nullable Consumer<Duty> owner) throws IOException {
        this.config = config;
        this.losses = new Losses();
        this.levels = new Levels(config.levels());
        Arguments.link();
        LogClock clock = new LogClock();
        Output output = null;
        SiteFile file = null;
        LogRing made = null;
        try {
            if (config.output() == LogConfig.Output.JOURNAL) {
                Path folder = Objects.requireNonNull(config.path());
                JournalOutput journal = new JournalOutput(config, folder, losses);
                output = journal;
                SiteFile statements = new SiteFile(folder);
                file = statements;
                this.sites = new Sites(site -> {
                    try {
                        statements.append(site);
                    } catch (IOException e) {
                        losses.lose(0, "a statement could not be kept: " + e.getMessage());
                    }
                });
                SiteFile.read(folder, sites::add);
                made = LogRing.mapped(folder, config.ringBytes(), output, last(journal.journal()), clock.nanos());
            } else {
                this.sites = new Sites(_ -> {});
                made = LogRing.inMemory(config.ringBytes());
                output = config.output() == LogConfig.Output.FILE
                        ? TextOutput.file(config, Objects.requireNonNull(config.path()), sites, losses)
                        : TextOutput.console(config, out, sites, losses);
            }
        } catch (IOException | RuntimeException e) {
            if (made != null) {
                made.close();
            }
            if (output != null) {
                output.close();
            }
            if (file != null) {
                file.close();
            }
            throw e;
        }
        this.siteFile = file;
        this.ring = made;
        this.writer = new LogWriter(ring.ring(), sites, losses, clock, config);
        this.backEnd = new BackEnd(
                ring.ring(),
                output,
                writer,
                losses,
                clock,
                sites,
                this::progress,
                everySecond(new LevelsFile(config, this)));
        if (owner == null) {
            this.worker = Worker.builder("slipstream-log", List.of(backEnd))
                    .waitStrategy(WaitStrategy.backoff())
                    .threadFactory(ownThreads("slipstream-log").factory())
                    .build()
                    .start();
        } else {
            this.worker = null;
            owner.accept(backEnd);
        }
    }

    private Runnable everySecond(LevelsFile levelsFile) {
        SiteFile file = siteFile;
        return () -> {
            levelsFile.look();
            if (file != null) {
                try {
                    file.appendPending();
                } catch (IOException e) {
                    losses.lose(0, "a statement could not be kept: " + e.getMessage());
                }
            }
        };
    }

    private static LogRing.LastEvent last(@Nullable Journal journal) throws JournalException {
        LogRing.LastEvent[] last = {LogRing.LastEvent.NONE};
        if (journal != null && journal.nextSequence() > journal.firstSequence()) {
            journal.read(
                    journal.nextSequence() - 1,
                    (memory, offset, _) -> last[0] = new LogRing.LastEvent(
                            EventLayout.nanos(memory, offset), EventLayout.position(memory, offset)));
        }
        return last[0];
    }

    private void progress(long position) {
        ring.written(position);
        written.setRelease(position);
    }

    /**
     * Opens a log.
     *
     * @throws IOException if the binary log cannot be opened; a text file that cannot be is tried again and again
     */
    public static LogSystem open(LogConfig config) throws IOException {
        return open(config, standard(config));
    }

    /** Opens a log whose console, or standard error, is {@code out}. */
    public static LogSystem open(LogConfig config, PrintStream out) throws IOException {
        return new LogSystem(config, out, null);
    }

    /**
     * Opens a log that has no thread of its own. {@code owner} gets the duty that writes, once, and runs it beside
     * others on a worker of the caller's; that worker waits for the device whenever the log does. Until it runs,
     * {@link #flush} waits in vain. To end: first close the worker, whose end writes what was logged, then this log.
     *
     * @throws IOException as {@link #open(LogConfig)}
     */
    public static LogSystem open(LogConfig config, Consumer<Duty> owner) throws IOException {
        return new LogSystem(config, standard(config), owner);
    }

    private static PrintStream standard(LogConfig config) {
        return config.output() == LogConfig.Output.STDERR ? System.err : System.out;
    }

    /**
     * Returns the log of this process: as {@link #share} has said, or by the file that {@link LogConfig#find} finds, or
     * else to the console. It is written out when the process ends; what shutdown hooks log
     * after that is written before their call returns.
     */
    public static LogSystem shared() {
        return Shared.INSTANCE;
    }

    /**
     * Says how the log of this process is opened when it is first asked for, instead of by its file.
     *
     * @throws IllegalStateException if it has been opened already, or this was said before
     */
    public static void share(LogConfig config) {
        if (!CHOSEN.compareAndSet(null, config)) {
            throw new IllegalStateException("the log of this process is open: call share before anything logs");
        }
    }

    /** As {@link #flush} of the log of this process; does nothing if nobody has asked for that yet. */
    public static boolean flushShared(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        LogSystem system = opened;
        return system == null || system.flush(limit);
    }

    /** Returns the log of that name; the same one as long as the program keeps it. */
    public Log log(String name) {
        Log known = known(name);
        if (known != null) {
            return known;
        }
        synchronized (levels) {
            for (Reference<? extends Log> each = collected.poll(); each != null; each = collected.poll()) {
                logs.remove(((Named) each).name, each);
            }
            Log made = known(name);
            if (made == null) {
                made = new Log(name, writer, levels.of(name));
                logs.put(name, new Named(made, collected));
            }
            return made;
        }
    }

    private @Nullable Log known(String name) {
        Named known = logs.get(name);
        return known == null ? null : known.get();
    }

    /** Returns the names of the logs that the program keeps at this moment. */
    public Set<String> names() {
        return Set.copyOf(logs.keySet());
    }

    /** Returns the thresholds that are set, by the name of the logger; the root is {@code ""}. */
    public Map<String, Level> levels() {
        synchronized (levels) {
            return levels.all();
        }
    }

    /** Returns the threshold that a logger of that name has, or would have. */
    public Level threshold(String logger) {
        synchronized (levels) {
            return levels.of(logger);
        }
    }

    /** Sets the threshold of a logger, and of those below it that have none of their own; the root is {@code ""}. */
    public void level(String logger, Level level) {
        synchronized (levels) {
            levels.set(logger, level);
            applyLevels();
        }
        levelsChanged();
    }

    /** Takes the threshold of a logger away, so that it has that of the one above it. */
    public void inheritLevel(String logger) {
        synchronized (levels) {
            levels.remove(logger);
            applyLevels();
        }
        levelsChanged();
    }

    /**
     * Runs {@code action} after each change of a threshold, on the thread that has changed it, which is the log's own
     * if the file of the settings did; null for nothing. It takes the place of the one before.
     */
    public void afterLevels(@Nullable Runnable action) {
        afterLevels = action;
    }

    private void levelsChanged() {
        Runnable action = afterLevels;
        if (action != null) {
            action.run();
        }
    }

    private void applyLevels() {
        for (Named each : logs.values()) {
            Log log = each.get();
            if (log != null) {
                log.threshold(levels.of(log.name()));
            }
        }
    }

    /** Returns the settings with which it was opened. */
    public LogConfig config() {
        return config;
    }

    /** Returns what did not get into the log. */
    public Losses losses() {
        return losses;
    }

    /**
     * Waits until everything that was logged before has been written, and what was lost is told, at most
     * {@code limit}; returns whether all is written.
     */
    public boolean flush(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        long begin = System.nanoTime();
        long position;
        try {
            // A claim that is given up stands behind all others, and nobody sees it.
            position = ring.ring().tryClaim(0, limit);
            if (position < 0) {
                return false;
            }
            ring.ring().abort(position);
        } catch (RuntimeException e) {
            return closed;
        }
        long deadline = begin + Patience.nanos(limit);
        if (!await(() -> written.getAcquire() > position, deadline)) {
            return false;
        }
        long notice = backEnd.wantNotice();
        await(() -> backEnd.noticesDone() >= notice, deadline);
        return true;
    }

    private boolean await(BooleanSupplier condition, long deadline) {
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0 || backEnd.hasEnded()) {
                return condition.getAsBoolean();
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** They take nothing from the thread that happens to log first: its class loader may end before the log does. */
    private static Thread.Builder.OfPlatform ownThreads(String name) {
        return Thread.ofPlatform().name(name).daemon().inheritInheritableThreadLocals(false);
    }

    private void endsWithProcess() {
        Thread ends = ownThreads("slipstream-log-end").unstarted(this::endWithProcess);
        Runtime.getRuntime().addShutdownHook(ends);
        hook = ends;
    }

    /** Nothing of a log that is closed stays behind: its class loader may end before the process. */
    private void forgetProcess() {
        if (hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process ends already.
            }
        }
    }

    /** The process ends. Other hooks may still log: the back end goes on for them as long as there is a process. */
    private void endWithProcess() {
        writer.afterEach(() -> flush(CLOSE_LIMIT));
        flush(CLOSE_LIMIT);
    }

    /**
     * Writes what was logged, and ends the back end. What is logged afterwards is counted as dropped. Closing again
     * does nothing. A program that is not the whole process, as one in a container, closes {@link #shared} when it
     * ends; then nothing keeps its classes.
     *
     * @throws IllegalStateException if a worker of the caller's still runs the back end
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (worker == null && backEnd.isRunning()) {
            throw new IllegalStateException("a worker still writes this log: close the worker first, then the log");
        }
        forgetProcess();
        writer.close();
        if (worker != null) {
            flush(CLOSE_LIMIT);
        }
        closed = true;
        if (worker != null) {
            worker.close();
        }
        ring.close();
        if (siteFile != null) {
            try {
                siteFile.close();
            } catch (IOException e) {
                losses.lose(0, String.valueOf(e.getMessage()));
            }
        }
    }
}
