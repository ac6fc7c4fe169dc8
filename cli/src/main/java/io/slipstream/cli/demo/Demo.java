package io.slipstream.cli.demo;

import io.slipstream.cli.demo.Verdicts.Outcome;
import io.slipstream.cli.exchange.Trader;
import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.LoadTable;
import io.slipstream.cli.load.Tally;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.snapshot.SnapshotReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The main job from end to end: serve, load, kill, recover, verify, overload.
 *
 * <p>The exchange is a process of its own; this one is its clients, the one who pulls the plug, and the auditor.
 */
final class Demo {
    private static final int INSTRUMENTS = 16;
    private static final int MAX_ORDERS = 1_000_000;
    private static final int MAX_RESPONSE_MILLIS = 50;
    private static final int COST_MICROS = 100;

    /** On a busy machine not all that is aimed at can be sent in time, and what is late is left out. */
    private static final double AIM = 1.2 * OverloadRules.TIMES;

    private static final double FAST = 1e7;
    private static final int SMALL_WINDOW = 1 << 14;

    private final Settings settings;
    private final PrintWriter out;
    private final Verdicts verdicts = new Verdicts();
    private long connected;
    private volatile boolean interrupted;
    private volatile boolean ended;
    private volatile @Nullable ServerProcess server;

    /**
     * What the user may choose.
     *
     * @param watched options of an exchange that one may look at: not the one that is audited, since a dashboard is a
     *                client, too, and its session is in the log
     */
    record Settings(
            Path directory,
            String level,
            double rate,
            double seconds,
            int connections,
            long seed,
            List<String> watched) {
        Settings(Path directory, String level, double rate, double seconds, int connections, long seed) {
            this(directory, level, rate, seconds, connections, seed, List.of());
        }

        Duration duration() {
            return Duration.ofNanos((long) (seconds * 1e9));
        }
    }

    Demo(Settings settings, PrintWriter out) {
        this.settings = settings;
        this.out = out;
    }

    /** Runs the whole demo. Returns whether it completed and no claim is broken. */
    boolean run() throws IOException, InterruptedException {
        try {
            runAll();
        } catch (IOException e) {
            if (!interrupted) {
                throw e;
            }
        } finally {
            ended = true;
        }
        return !interrupted && !verdicts.isAny(Outcome.BROKEN);
    }

    private void runAll() throws IOException, InterruptedException {
        say("1. A limit order book exchange in a process of its own, journal at level %s", settings.level());
        ServerProcess serving = start(settings.directory(), 0, List.of());
        try (Load<Trader> load = connect(serving, Load.LARGE_WINDOW)) {
            killAndRecover(load, serving.port());
            snapshotAndRestart(verify(load));
        }
        fullSpeed();
        overload();
        if (!interrupted) {
            tellVerdicts("Verdicts");
        }
    }

    /**
     * Ends a demo that has not ended, and the process that it has started, as soon as possible, and tells how far it
     * came; callable by any thread.
     */
    void interrupt() {
        if (ended) {
            return;
        }
        interrupted = true;
        ServerProcess running = server;
        if (running != null) {
            running.close();
        }
        tellVerdicts("Interrupted. Verdicts so far");
    }

    /** Serves on until {@code enough} ends or the demo is interrupted. */
    void serveUntil(Moment enough) throws IOException, InterruptedException {
        say("The exchange serves on. Press Enter to end.");
        start(settings.directory(), 0, settings.watched());
        out.flush();
        enough.await();
        stop();
    }

    /** Something to wait for. */
    interface Moment {
        /** Returns when it has come. */
        void await() throws IOException, InterruptedException;
    }

    private void tellVerdicts(String title) {
        say(title);
        verdicts.print(out);
        if (verdicts.isAny(Outcome.INCONCLUSIVE)) {
            say(
                    "What is inconclusive: clients and exchange share %d processors here, perhaps with others. What"
                        + " the clients take%nis missing from the work, what they wait for a processor counts as"
                        + " response time, and they may be too%nslow to offer enough. Run it on a machine of its own"
                        + " with more processors.",
                    Runtime.getRuntime().availableProcessors());
        }
    }

    private void killAndRecover(Load<Trader> load, int port) throws IOException, InterruptedException {
        say(
                "2. %d client connections, %,.0f commands a second, open loop; SIGKILL in the middle",
                settings.connections(), settings.rate());
        CompletableFuture<ServerProcess> recovery = CompletableFuture.supplyAsync(() -> killLater(port));
        Load.Result result =
                load.run(settings.rate(), settings.duration().multipliedBy(2), false, this::goesOn, new LoadTable(out));
        try {
            server = recovery.get();
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.toString() : e.getCause().getMessage(), e);
        }
        long outstanding = load.awaitAnswers(Duration.ofSeconds(20));
        Tally tally = Tally.of(load.sources());
        out.printf(
                Locale.ROOT,
                "   %,d commands offered in %.1f s, %,d answered, %,d refused, %,d failed, %,d without answer%n",
                tally.offered(),
                result.seconds(),
                tally.answered(),
                tally.busy(),
                tally.failed(),
                outstanding);
        verdicts.add(
                "every command offered got its answer, kill or not",
                Outcome.of(outstanding == 0 && tally.failed() == 0),
                "none failed, none without answer",
                "%,d offered = %,d answered + %,d refused%s",
                tally.offered(),
                tally.answered(),
                tally.busy(),
                tally.failed() == 0 ? "" : "; failed: " + load.lastFailure());
    }

    private ServerProcess killLater(int port) {
        try {
            Thread.sleep(settings.duration());
            ServerProcess victim = server;
            if (victim != null) {
                victim.kill();
                victim.forget();
            }
            out.println("   SIGKILL. Starting the exchange again on the same folder:");
            return start(settings.directory(), port, List.of());
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private Status verify(Load<Trader> load) throws IOException, InterruptedException {
        say("3. Is everything there?");
        Status told = load.sources().getFirst().client().status();
        int exitCode = stop();
        Status replayed = Service.replay(config(), machine());
        out.printf(
                Locale.ROOT, "   the exchange says: log entry %,d, state %016x%n", told.sequence(), told.stateHash());
        out.printf(
                Locale.ROOT,
                "   a second replay:   log entry %,d, state %016x%n",
                replayed.sequence(),
                replayed.stateHash());
        LogCheck check = LogCheck.of(settings.directory(), config().journal(), load.sources());
        verdicts.add(
                "every acknowledged order is in the log once",
                Outcome.of(check.missing() == 0 && check.repeated() == 0),
                "none missing, none twice",
                "%,d acknowledged, %,d missing, %,d twice; %,d entries were resends",
                check.acknowledged(),
                check.missing(),
                check.repeated(),
                check.resent());
        verdicts.add(
                "an independent replay comes to the same state",
                // An orderly end adds the hash of the state to the log.
                Outcome.of(replayed.stateHash() == told.stateHash()
                        && (replayed.sequence() == told.sequence() || replayed.sequence() == told.sequence() + 1)),
                String.format(Locale.ROOT, "%016x at entry %,d or the next", told.stateHash(), told.sequence()),
                "%016x at entry %,d",
                replayed.stateHash(),
                replayed.sequence());
        verdicts.add("SIGTERM ends it in order", Outcome.of(exitCode == 0), "0", "exit code %d", exitCode);
        return replayed;
    }

    private void snapshotAndRestart(Status whole) throws IOException, InterruptedException {
        say("4. A snapshot, so that the next start need not replay all that");
        SnapshotReport report;
        try (Service service = Service.start(config(), Demo::machine)) {
            report = service.snapshot().get();
        } catch (ExecutionException e) {
            throw new IOException("no snapshot: " + e.getCause(), e);
        }
        out.printf(
                Locale.ROOT,
                "   entry %,d saved in %,d bytes and %,d ms; commands waited %.3f ms for it%n",
                report.sequence(),
                report.bytes(),
                report.took().toMillis(),
                report.pause().toNanos() / 1e6);
        Status restarted = Service.replay(config(), machine());
        out.printf(
                Locale.ROOT,
                "   start without it: %,d entries replayed in %.3f s%n",
                whole.replayed(),
                whole.recoveryNanos() / 1e9);
        out.printf(
                Locale.ROOT,
                "   start with it:    %,d entries replayed in %.3f s%n",
                restarted.replayed(),
                restarted.recoveryNanos() / 1e9);
        verdicts.add(
                "a start from the snapshot comes to the same state",
                Outcome.of(restarted.stateHash() == whole.stateHash()),
                String.format(Locale.ROOT, "%016x", whole.stateHash()),
                "%016x",
                restarted.stateHash());
    }

    private static StateMachine machine() {
        return new ExchangeStateMachine(INSTRUMENTS, MAX_ORDERS);
    }

    private void fullSpeed() throws IOException, InterruptedException {
        say(
                "5. How much can it take at most, its clients beside it on %d processors?",
                Runtime.getRuntime().availableProcessors());
        capacity(start(settings.directory(), 0, settings.watched()));
        stop();
    }

    /**
     * Clients on the same machine cannot offer three times what the exchange can take, so for this part each command
     * costs what heavier business logic would.
     */
    private void overload() throws IOException, InterruptedException {
        say(
                "6. Too much: an exchange whose commands cost %d us each, which answers within %d ms or refuses",
                COST_MICROS, MAX_RESPONSE_MILLIS);
        Path folder = settings.directory().resolve("overload");
        List<String> costly = new ArrayList<>(List.of(
                "--cost", Integer.toString(COST_MICROS), "--max-response", Integer.toString(MAX_RESPONSE_MILLIS)));
        costly.addAll(settings.watched());
        ServerProcess serving = start(folder, 0, costly);
        double capacity = capacity(serving);
        say("   Now %.1f times the %,.0f commands a second that it can take:", AIM, capacity);
        try (Load<Trader> load = connect(serving, Load.LARGE_WINDOW)) {
            Load.Result result = load.run(AIM * capacity, settings.duration(), true, this::goesOn, new LoadTable(out));
            long outstanding = load.awaitAnswers(Duration.ofSeconds(10));
            judgeOverload(load, result, capacity, outstanding);
        }
        stop();
    }

    /** Keeps the exchange busy all the time with no more under way than it accepts; the first half is a warm-up. */
    private double capacity(ServerProcess serving) throws IOException {
        try (Load<Trader> load = connect(serving, SMALL_WINDOW)) {
            load.run(FAST, settings.duration().dividedBy(2), true, this::goesOn, (seconds, interval, latencies) -> {});
            Load.Result peak = load.run(FAST, settings.duration(), true, this::goesOn, new LoadTable(out));
            load.awaitAnswers(Duration.ofSeconds(10));
            return peak.answeredPerSecond();
        }
    }

    private Load<Trader> connect(ServerProcess serving, int windowBytes) throws IOException {
        return Trader.load(
                () -> ServiceClient.builder("127.0.0.1", serving.port()),
                settings.connections(),
                INSTRUMENTS,
                settings.seed() + connected++,
                windowBytes);
    }

    private void judgeOverload(Load<Trader> load, Load.Result result, double capacity, long outstanding) {
        new OverloadRules(capacity, MAX_RESPONSE_MILLIS).judge(result, verdicts);
        Tally tally = Tally.of(load.sources());
        verdicts.add(
                "overloaded, it answers or refuses every command",
                Outcome.of(outstanding == 0 && tally.failed() == 0),
                "none failed, none without answer",
                "%,d without answer, %,d failed",
                outstanding,
                tally.failed());
    }

    private ServerProcess start(Path folder, int port, List<String> options) throws IOException {
        ServerProcess started = ServerProcess.launch(folder, port, settings.level(), options);
        server = started;
        if (interrupted) {
            started.close();
        }
        started.awaitServing(line -> out.println("   | " + line));
        return started;
    }

    private int stop() throws InterruptedException {
        ServerProcess running = server;
        return running == null ? 0 : running.stop();
    }

    private ServiceConfig config() {
        return ServiceConfig.in(settings.directory())
                .withJournal(JournalConfig.at(Durability.valueOf(settings.level())));
    }

    private boolean goesOn() {
        return !interrupted;
    }

    private void say(String text, Object... arguments) {
        out.println();
        out.printf(Locale.ROOT, text + "%n", arguments);
        out.flush();
    }
}
