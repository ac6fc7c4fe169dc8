package io.slipstream.service;

import io.slipstream.core.counters.Counters;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.Journal;
import io.slipstream.journal.RecoveryReport;
import io.slipstream.journal.storage.Storage;
import io.slipstream.service.gateway.Gateways;
import io.slipstream.service.gateway.NativeProtocol;
import io.slipstream.service.host.Host;
import io.slipstream.service.host.SteadyHost;
import io.slipstream.service.log.ClosingCheck;
import io.slipstream.service.log.JournalStage;
import io.slipstream.service.log.LogSchema;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicStage;
import io.slipstream.service.logic.OutputEndedError;
import io.slipstream.service.logic.OwnEntries;
import io.slipstream.service.machine.ClientSchemas;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.Timed;
import io.slipstream.service.pressure.CommandKinds;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.snapshot.Recovery;
import io.slipstream.service.snapshot.SnapshotReport;
import io.slipstream.service.snapshot.Snapshotter;
import io.slipstream.service.spi.LogGate;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running service: one state machine behind its gateways, with a journal between them.
 *
 * <p>{@link #start} returns when the journal was replayed and clients are served. A stage that fails ends the service;
 * {@link #ended} tells with what.
 */
public final class Service implements AutoCloseable {
    private static final long SHORTEST_END_NANOS = 5_000_000_000L;

    private static final int RESERVE_BYTES = 1 << 20;

    private final Host host;
    private final ServiceEvents events;
    private final Journal journal;
    private final @Nullable LogGate gate;
    private final long drainNanos;
    private final Signal journalSignal;
    private final FrameRing input;
    private final FrameRing output;
    private final FramePoller journaled;
    private final FramePoller applied;
    private final Gateways gateways;
    private final LogicStage logic;
    private final Logic state;
    private final OwnEntries own;
    private final JournalStage journaling;
    private final Snapshotter snapshotter;
    private final List<FramePoller> outputPollers = new ArrayList<>();
    private final ServiceCounters shown;
    private final Stages stages;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Watchdog watchdog;
    /* Memory to end with when there is no other left. */
    private final AtomicReference<byte @Nullable []> reserve = new AtomicReference<>(new byte[RESERVE_BYTES]);
    private Host.@Nullable Alarm alarm;
    private volatile boolean serves;
    private volatile boolean closed;

    /** Whether somebody ends the service already: whoever looks at it now and then must not wait for that. */
    private volatile boolean isEnding;

    /**
     * Recovers the journal, brings the machine to where it ends, binds the address and begins to serve. Snapshots are
     * taken of this one machine, so commands wait for them; see {@link #start(ServiceConfig, Supplier)}.
     *
     * @param machine in its initial state
     * @throws IOException              if the journal cannot be opened or the address cannot be bound; the message says
     *                                  which and why
     * @throws IllegalArgumentException if the log is another machine's, or this one would misread its commands
     */
    public static Service start(ServiceConfig config, StateMachine machine) throws IOException {
        return launch(config, machine, null, null, null);
    }

    /**
     * As {@link #start(ServiceConfig, StateMachine)}, with snapshots that no command waits for: each is taken of a
     * second machine that follows the log. Until it is taken there are two of them in memory.
     *
     * @param machines makes a machine in its initial state; called by several threads
     */
    public static Service start(ServiceConfig config, Supplier<? extends StateMachine> machines) throws IOException {
        return launch(config, machines.get(), machines, null, null);
    }

    /**
     * As {@link #start(ServiceConfig, StateMachine)}, and shows what goes on to other processes.
     *
     * @param counters with at least {@value ServiceCounters#PLACES} free places, and
     *                 {@value ServiceCounters#PLACES_OF_A_GATEWAY} more for each further gateway thread; whoever made
     *                 them closes them, after the service
     * @throws IllegalStateException if there are not enough places
     */
    public static Service start(ServiceConfig config, StateMachine machine, @Nullable Counters counters)
            throws IOException {
        return launch(config, machine, null, null, counters);
    }

    /** As {@link #start(ServiceConfig, Supplier)}, and shows what goes on to other processes. */
    public static Service start(
            ServiceConfig config, Supplier<? extends StateMachine> machines, @Nullable Counters counters)
            throws IOException {
        return launch(config, machines.get(), machines, null, counters);
    }

    /**
     * As {@link #start(ServiceConfig, Supplier, Counters)}, with a machine that has followed the log already: only what
     * is behind the last entry that it has applied is replayed.
     *
     * @param warm of the limits of {@code config}, whose outputs have gone nowhere; it is the service's from now on
     */
    public static Service start(
            ServiceConfig config, Logic warm, Supplier<? extends StateMachine> machines, @Nullable Counters counters)
            throws IOException {
        return launch(config, warm.machine(), machines, warm, counters);
    }

    /**
     * Checks, as each start does first, whether a service could be started now: that its addresses are free, that it is
     * said who gets in, that there is memory for its rings. Nothing of it stays, and the folder is not looked at.
     *
     * @throws IOException              if an address or the memory is not there; the message says which
     * @throws IllegalArgumentException if nobody has said who gets in
     */
    public static void requireServable(ServiceConfig config) throws IOException {
        Startup.requireServable(config);
    }

    private static Service launch(
            ServiceConfig config,
            StateMachine machine,
            @Nullable Supplier<? extends StateMachine> machines,
            @Nullable Logic warm,
            @Nullable Counters counters)
            throws IOException {
        Startup.requireFree(config);
        LogSchema schema = LogSchema.require(config.directory(), machine, config.events()::onWarning);
        Startup.prepare(config, machines);
        if (config.logGate() == null) {
            SiteGuard.requireServableAlone(config.host(), config.directory());
        }
        Service service =
                launch(config, machine, machines, warm, counters, config.host().storage(config.directory()));
        schema.keep(config.events()::onWarning);
        return service;
    }

    /** As the others, with the log in {@code storage}, which is closed with the service. */
    static Service start(
            ServiceConfig config,
            StateMachine machine,
            @Nullable Supplier<? extends StateMachine> machines,
            @Nullable Counters counters,
            Storage storage)
            throws IOException {
        return launch(config, machine, machines, null, counters, storage);
    }

    private static Service launch(
            ServiceConfig config,
            StateMachine machine,
            @Nullable Supplier<? extends StateMachine> machines,
            @Nullable Logic warm,
            @Nullable Counters counters,
            Storage storage)
            throws IOException {
        LogGate gate = config.logGate();
        long startNanos = config.host().nanoTime();
        Journal journal = Journal.open(storage, config.journal());
        Service service = null;
        try {
            service = new Service(config, machine, machines, warm, journal, counters, startNanos);
            if (gate != null) {
                gate.open(journal, service.journalSignal::wake);
                service.journaling.gate(gate);
            }
            service.logStart(config, machine);
            service.startStages(config);
            config.events().onStarted(machine.name(), service.port(), journal.recovery());
            return service;
        } catch (IOException | RuntimeException | Error e) {
            try (journal) {
                if (gate != null) {
                    gate.close();
                }
                if (service != null) {
                    service.abandon();
                }
            } catch (IOException | RuntimeException | Error later) {
                e.addSuppressed(later);
            }
            throw e;
        }
    }

    private Service(
            ServiceConfig config,
            StateMachine machine,
            @Nullable Supplier<? extends StateMachine> machines,
            @Nullable Logic warm,
            Journal journal,
            @Nullable Counters counters,
            long startNanos)
            throws IOException {
        SteadyHost steady = new SteadyHost(config.host(), config.maxClockLeap(), config.events()::onClock);
        this.host = steady;
        this.journal = journal;
        this.events = config.events();
        this.gate = config.logGate();
        this.drainNanos = config.drainTime().toNanos();
        this.input = Startup.inputRing(config);
        this.output = FrameRing.forOnePublisher(config.limits().outputRingBytes(), WaitStrategy.parking());
        this.journaled = input.newPoller();
        this.applied = input.newPoller(journaled.sequence());
        for (int i = 0; i < config.gatewayThreads(); i++) {
            outputPollers.add(output.newPoller());
        }
        this.shown = new ServiceCounters(counters);
        this.stages = new Stages(host, config, shown, this::failed, this::isApplied);
        Runnable whileFull = config.threading() == Threading.THREE ? this::awaitGateways : this::drainOutput;
        EventForwarding told = new EventForwarding(config.events(), this::failed);
        Logic recovered = warm == null ? new Logic(machine, config.logicLimits(), output, whileFull) : warm;
        recovered.sendTo(output, whileFull);
        recovered.failures().tellClients(config.failureMessages());
        this.state = recovered;
        this.own = new OwnEntries(input, host);
        this.watchdog = new Watchdog(
                host,
                recovered.pulse(),
                config.slowEntryAfter(),
                config.events()::onSlowEntry,
                this::supervise,
                config.skipCommand());
        try {
            recovered.pulse().here();
            watchdog.start();
            Recovery recovery = new Recovery(journal, config.events());
            long last = journal.nextSequence() - 1;
            long replayed = warm == null ? recovery.recover(recovered, last) : recovery.goOn(recovered, last);
            watchdog.replayed();
            recovered.goLive();
            steady.notBefore(recovered.lastTimeNanos());
            recovered.failures().listener(new MachineFailures(config.events()));
            this.journaling = new JournalStage(input, journaled, journal, host, recovered.lastTimeNanos(), told);
            CommandTimes times = new CommandTimes(machine instanceof CommandKinds kinds ? kinds : CommandKinds.ALIKE);
            this.logic = new LogicStage(
                    host,
                    applied,
                    recovered,
                    times,
                    recovered.machine() instanceof Timed timed ? timed : null,
                    own,
                    journaling.unlogged(),
                    journaling::isFull,
                    this::betweenEntries,
                    replayed,
                    host.nanoTime() - startNanos);
            journaling.pace(times, logic.processed(), config.maxResponseTime().toNanos());
            this.snapshotter = new Snapshotter(
                    host,
                    journal,
                    config.snapshots(),
                    machines,
                    config.logicLimits(),
                    logic.appliedSequence(),
                    recovery,
                    told);
            journaling.writeThrough(snapshotter.writeThrough());
            journaling.trimBefore(snapshotter.trimBefore(), snapshotter.trims());
            this.gateways = new Gateways(
                    host,
                    config.addresses(),
                    config.sharedMemory(),
                    config.security(),
                    ClientSchemas.of(machine),
                    config.gatewayLimits(),
                    input,
                    output,
                    outputPollers,
                    logic.processed(),
                    times,
                    config.events()::onPressure,
                    config.events()::onWarning);
            this.journalSignal =
                    config.threading() == Threading.ONE ? gateways.first().signal() : new Signal();
        } catch (IOException | RuntimeException | Error e) {
            watchdog.close();
            closeRings();
            throw e;
        }
    }

    /** Returns the port that clients connect to. */
    public int port() {
        return gateways.port(NativeProtocol.INSTANCE);
    }

    /** Returns the port where {@code protocol} is spoken. */
    public int port(Protocol protocol) {
        return gateways.port(protocol);
    }

    /** Returns what was found in the journal at start. */
    public RecoveryReport recovery() {
        return journal.recovery();
    }

    /** Returns what its clients are connected to. */
    Gateways gateways() {
        return gateways;
    }

    /** Returns how many messages were accepted since the start. */
    public long accepted() {
        // The gateways have taken what a full log refused.
        return gateways.accepted() - journaling.unlogged().getAcquire();
    }

    /** Returns how many commands were refused since the start, also by a full log. */
    public long refused() {
        return gateways.refused() + journaling.unlogged().getAcquire();
    }

    /** Returns how many bytes of memory all connections hold for what was read of them or waits to be written. */
    public long connectionBytes() {
        return gateways.connectionBytes();
    }

    /**
     * Completes when the service has ended: normally by {@link #close}, exceptionally with what a stage has thrown
     * first, also while the service was closing.
     */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Refuses new commands, answers those that were accepted, closes the files and ends.
     *
     * <p>If the state machine does not come back from a command, this returns nevertheless, and {@link #ended} says in
     * which entry it is. Its thread, its memory and the lock on the folder are left behind then until the process ends,
     * which loses nothing: whatever was answered is in the journal.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        gateways.refuseAll();
        long deadline = host.nanoTime() + drainNanos;
        boolean drained = isDrained();
        while (!drained && stages.areAlive() && host.nanoTime() - deadline < 0) {
            host.pause(100_000);
            drained = isDrained();
        }
        // Asked once only: a client that goes now is still noted, and nobody waits for the answer to that.
        if (!drained) {
            failure.compareAndSet(
                    null,
                    new IllegalStateException("closed before all that was accepted was answered: "
                            + (gateways.accepted() - logic.processed().getAcquire()) + " messages were left"
                            + (gateways.refusesAll()
                                    ? ""
                                    : ", and a gateway has not come back from what it did, such as a write to the"
                                            + " disk")));
        }
        end();
    }

    private boolean isDrained() {
        return gateways.refusesAll() && gateways.accepted() == logic.processed().getAcquire() && output.depth() == 0;
    }

    private boolean isApplied() {
        return applied.sequence().getAcquire() == journaled.sequence().getAcquire();
    }

    /**
     * Takes a snapshot of what is applied by now, so that the next start need not replay it. Any thread may ask.
     *
     * @return completes when the snapshot is durable; exceptionally with why there is none, such as
     *     {@link UnsupportedOperationException} if the state machine does not save its state
     */
    public CompletableFuture<SnapshotReport> snapshot() {
        return snapshotter.request();
    }

    /**
     * Brings a machine to where the journal of a service that does not run ends, and tells what that leads to: an
     * independent check of what the service has said of itself.
     *
     * @param machine in its initial state; afterwards in the state that the log leads to
     */
    public static Status replay(ServiceConfig config, StateMachine machine) throws IOException {
        long startNanos = config.host().nanoTime();
        LogSchema.require(config.directory(), machine, config.events()::onWarning);
        try (Journal journal = Journal.open(config.host().storage(config.directory()), config.journal());
                FrameRing nowhere = new FrameRing(1 << 12)) {
            Logic logic = new Logic(machine, config.logicLimits(), nowhere, () -> {});
            long replayed = new Recovery(journal, config.events()).recover(logic, journal.nextSequence() - 1);
            return new Status(
                    logic.lastSequence(),
                    logic.stateHash(),
                    logic.sessionCount(),
                    replayed,
                    config.host().nanoTime() - startNanos);
        }
    }

    /** Says in the log whose it is, and what decides how it is replayed. */
    private void logStart(ServiceConfig config, StateMachine machine) {
        Start start = new Start(
                machine.name(),
                machine.version(),
                config.limits().maxSessions(),
                host.secret(),
                config.checkEvery(),
                Start.ALL_RULES);
        long position = input.tryClaim(Message.HEADER_BYTES + start.bytes() - Frame.HEADER_BYTES);
        long at = input.offset(position);
        Message.headerWithoutLength(input.memory(), at, MessageType.START, 0, 0);
        start.encodePayload(input.memory(), at);
        input.publish(position);
    }

    private void betweenEntries(Logic logic) {
        snapshotter.saveBetweenEntries(logic);
    }

    private void startStages(ServiceConfig config) {
        shown.addRings(input, journaled.sequence(), applied.sequence(), output, outputPollers);
        shown.addCommands(gateways, config.limits().maxConnections(), journaling, logic);
        shown.addLog(journaling, snapshotter);
        stages.start(input, output, journalSignal, journaling, logic, gateways, own);
        snapshotter.start();
        alarm = host.alarm(own::nextDeadline, gateways.first().signal());
        serves = true;
    }

    private void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        reserve.set(null);
        try {
            host.run("slipstream-end", this::end);
        } catch (OutOfMemoryError e) {
            // No memory for a thread: the one that supervises has been there from the beginning.
        }
    }

    /** Ends the service if it has failed and could not do that itself. Allocates nothing as long as it has not. */
    private void supervise() {
        if (!serves || isEnding || ended.isDone()) {
            return;
        }
        if (!closed && !stages.areAlive()) {
            reserve.set(null);
            failure.compareAndSet(null, new IllegalStateException("a thread of the service has ended"));
        }
        if (failure.get() != null) {
            end();
        }
    }

    private synchronized void end() {
        if (isEnding || ended.isDone()) {
            return;
        }
        isEnding = true;
        try {
            endAll();
        } finally {
            isEnding = false;
        }
    }

    private void endAll() {
        closed = true;
        if (alarm != null) {
            alarm.close();
        }
        snapshotter.close();
        stages.end(Math.max(drainNanos, SHORTEST_END_NANOS));
        if (!stages.haveEnded()) {
            leftBehind();
        }
        if (gate != null) {
            gate.close();
        }
        if (stages.hasJournalEnded()) {
            closeJournal();
        }
        if (stages.haveEnded()) {
            closeRings();
        }
        watchdog.close();
        Throwable first = failure.get();
        if (first == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(first);
        }
        events.onEnded(accepted(), refused(), first);
    }

    /** What a thread that has not ended works with stays as it is. */
    private void leftBehind() {
        SlowEntry present = watchdog.present();
        IllegalStateException left = new IllegalStateException("closed although a thread has not ended"
                + (present == null ? "" : ": " + present.text()) + ". Whatever was answered is in the journal");
        if (present != null) {
            left.setStackTrace(present.stack().toArray(StackTraceElement[]::new));
        }
        Throwable before = failure.getAndSet(left);
        if (before != null) {
            left.addSuppressed(before);
        }
    }

    private void closeJournal() {
        try (journal) {
            // A log with a gate is that of a backup as well, which gets no more of it.
            if (stages.haveEnded() && gate == null && failure.get() == null) {
                ClosingCheck.append(journal, state);
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Ends what the start has begun. */
    private void abandon() throws IOException {
        watchdog.close();
        stages.abandon();
        try {
            gateways.stop();
        } finally {
            closeRings();
        }
    }

    private void drainOutput() {
        gateways.first().drainOutput();
    }

    /** One that has ended takes nothing any more, and the ring is as full as it leaves it. */
    private void awaitGateways() {
        if (gateways.isStopped() || serves && !stages.areGatewaysAlive()) {
            throw new OutputEndedError("a gateway has ended; the outputs of the logic go nowhere", null);
        }
        host.giveWay();
    }

    private void closeRings() {
        input.close();
        output.close();
    }
}
