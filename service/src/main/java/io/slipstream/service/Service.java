package io.slipstream.service;

import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.Journal;
import io.slipstream.journal.RecoveryReport;
import io.slipstream.service.gateway.Gateway;
import io.slipstream.service.gateway.NativeProtocol;
import io.slipstream.service.log.JournalStage;
import io.slipstream.service.logic.LogicStage;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.spi.Protocol;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A running service: one state machine behind a gateway, with a journal between them.
 *
 * <p>{@link #start} returns when the journal was replayed and clients are served. A stage that fails ends the service;
 * {@link #ended} tells with what.
 */
public final class Service implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.slipstream.service");
    private static final long DRAIN_NANOS = 10_000_000_000L;

    /* Its duties also look at the clock. */
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;

    private final Journal journal;
    private final FrameRing input;
    private final FrameRing output;
    private final FramePoller journaled;
    private final FramePoller applied;
    private final Gateway gateway;
    private final LogicStage logic;
    private final FramePoller outputPoller;
    private final ServiceCounters shown;
    private final List<Worker> workers = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private boolean closed;

    /**
     * Recovers the journal, replays it, binds the address and begins to serve.
     *
     * @throws IOException if the journal cannot be opened or the address cannot be bound; the message says which and
     *                     why
     */
    public static Service start(ServiceConfig config, StateMachine machine) throws IOException {
        return start(config, machine, null);
    }

    /**
     * As {@link #start(ServiceConfig, StateMachine)}, and shows what goes on to other processes.
     *
     * @param counters with at least {@value ServiceCounters#PLACES} free places; whoever made them closes them, after
     *                 the service
     * @throws IllegalStateException if there are not enough places
     */
    public static Service start(ServiceConfig config, StateMachine machine, @Nullable Counters counters)
            throws IOException {
        if (config.address().isUnresolved()) {
            throw new UnknownHostException("there is no host " + config.address().getHostString());
        }
        long startNanos = System.nanoTime();
        Journal journal = Journal.open(config.directory(), config.journal());
        Service service = null;
        try {
            service = new Service(config, machine, journal, counters);
            replay(journal, service.logic, startNanos);
            service.logSettings(config);
            service.startWorkers(config);
            return service;
        } catch (IOException | RuntimeException | Error e) {
            try (journal) {
                if (service != null) {
                    service.abandon();
                }
            } catch (IOException | RuntimeException | Error later) {
                e.addSuppressed(later);
            }
            throw e;
        }
    }

    private Service(ServiceConfig config, StateMachine machine, Journal journal, @Nullable Counters counters)
            throws IOException {
        this.journal = journal;
        this.input = new FrameRing(config.inputRingBytes());
        this.output = new FrameRing(config.outputRingBytes());
        this.journaled = input.newPoller();
        this.applied = input.newPoller(journaled.sequence());
        this.outputPoller = output.newPoller();
        Runnable whileFull = config.threading() == Threading.THREE ? this::awaitGateway : this::drainOutput;
        this.logic = new LogicStage(applied, output, whileFull, machine, config.outboxBytes(),
                config.maxFrameLength());
        this.shown = new ServiceCounters(counters);
        try {
            this.gateway = new Gateway(config.addresses(), config.limits(), input, output, outputPoller,
                    logic.processed(), message -> LOG.log(System.Logger.Level.WARNING, message));
        } catch (IOException | RuntimeException e) {
            closeRings();
            throw e;
        }
    }

    /** Returns the port that clients connect to. */
    public int port() {
        return gateway.port(NativeProtocol.INSTANCE);
    }

    /** Returns the port where {@code protocol} is spoken. */
    public int port(Protocol protocol) {
        return gateway.port(protocol);
    }

    /** Returns what was found in the journal at start. */
    public RecoveryReport recovery() {
        return journal.recovery();
    }

    /** Returns how many messages were accepted since the start. */
    public long accepted() {
        return gateway.accepted().getAcquire();
    }

    /** Returns how many commands were refused since the start. */
    public long refused() {
        return gateway.refused().getAcquire();
    }

    /**
     * Completes when the service has ended: normally by {@link #close}, exceptionally with what a stage has thrown
     * first, also while the service was closing.
     */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Refuses new commands, answers those that were accepted, closes the files and ends. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        gateway.refuseAll();
        long deadline = System.nanoTime() + DRAIN_NANOS;
        while (!isDrained() && workers.stream().allMatch(Worker::isAlive) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(100_000);
        }
        if (!isDrained()) {
            failure.compareAndSet(null, new IllegalStateException("closed before all that was accepted was answered: "
                    + (gateway.accepted().getAcquire() - logic.processed().getAcquire()) + " messages were left"));
        }
        end();
    }

    private boolean isDrained() {
        return gateway.refusesAll() && gateway.accepted().getAcquire() == logic.processed().getAcquire()
                && output.depth() == 0;
    }

    /**
     * Replays the journal of a service that does not run, and tells what it leads to: an independent check of what the
     * service has said of itself.
     *
     * @param machine in its initial state; afterwards in the state that the log leads to
     */
    public static Status replay(ServiceConfig config, StateMachine machine) throws IOException {
        long startNanos = System.nanoTime();
        try (Journal journal = Journal.open(config.directory(), config.journal());
             FrameRing nowhere = new FrameRing(1 << 12)) {
            LogicStage logic = new LogicStage(nowhere.newPoller(), nowhere, () -> { }, machine,
                    config.outboxBytes(), config.maxFrameLength());
            replay(journal, logic, startNanos);
            return logic.status();
        }
    }

    private static void replay(Journal journal, LogicStage logic, long startNanos) throws IOException {
        if (journal.firstSequence() > 1) {
            throw new IOException("the log begins with entry " + journal.firstSequence()
                    + ", and the state of a service follows from all of them; put the segments before back");
        }
        journal.read(1, (memory, offset, length) -> logic.replay(memory, offset));
        logic.goLive(System.nanoTime() - startNanos);
    }

    /** How many sessions are remembered decides which are forgotten, so the log has to say it. */
    private void logSettings(ServiceConfig config) {
        if (logic.sessionLimit() != config.maxSessions()) {
            long position = input.tryClaim(Message.HEADER_BYTES + Integer.BYTES - Frame.HEADER_BYTES);
            long at = input.offset(position);
            Message.header(input.memory(), at, MessageType.SETTINGS, Integer.BYTES, 0, 0);
            Message.payloadInt(input.memory(), at, 0, config.maxSessions());
            input.publish(position);
        }
    }

    private void startWorkers(ServiceConfig config) {
        shown.addRings(input, journaled.sequence(), applied.sequence(), output, outputPoller.sequence());
        shown.addCommands(gateway, logic);
        Signal gatewaySignal = gateway.signal();
        Signal journalSignal = config.threading() == Threading.ONE ? gatewaySignal : new Signal();
        Signal logicSignal = config.threading() == Threading.THREE ? new Signal() : gatewaySignal;
        input.addSignal(journalSignal);
        output.addSignal(gatewaySignal);
        Duty journaling = new JournalStage(input, journaled, journal, logicSignal, logic.lastTimeNanos());
        switch (config.threading()) {
            case ONE -> add(config, "service", gatewaySignal, gateway, journaling, logic, shown);
            case TWO -> {
                add(config, "journal", journalSignal, journaling);
                add(config, "service", gatewaySignal, gateway, logic, shown);
            }
            case THREE -> {
                add(config, "journal", journalSignal, journaling);
                add(config, "logic", logicSignal, logic);
                add(config, "gateway", gatewaySignal, gateway, shown);
            }
        }
        workers.forEach(Worker::start);
    }

    private void add(ServiceConfig config, String name, Signal signal, Duty... duties) {
        WaitStrategy waiting = config.waiting().sleepingAtMost(LONGEST_SLEEP_NANOS);
        Worker.Builder builder = Worker.builder("slipstream-" + name, List.of(duties)).waitStrategy(waiting)
                .signal(signal)
                .onFailure(this::failed);
        PinPlan pinning = config.pinning();
        Worker worker = (pinning == null ? builder : builder.pinnedTo(pinning, workers.size())).build();
        shown.addWorker(worker, name);
        workers.add(worker);
    }

    private void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        Thread.ofPlatform().name("slipstream-end").start(this::end);
    }

    private synchronized void end() {
        if (ended.isDone()) {
            return;
        }
        closed = true;
        workers.forEach(Worker::close);
        try {
            journal.close();
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
        closeRings();
        Throwable first = failure.get();
        if (first == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(first);
        }
    }

    /** Ends what the start has begun. */
    private void abandon() throws IOException {
        workers.forEach(Worker::close);
        try {
            gateway.onStop();
        } finally {
            closeRings();
        }
    }

    private void drainOutput() {
        gateway.drainOutput();
    }

    private void awaitGateway() {
        if (gateway.isStopped()) {
            throw new GatewayEndedError();
        }
        Thread.yield();
    }

    private void closeRings() {
        input.close();
        output.close();
    }

    /**
     * No exception, which would count as one of the state machine and let it go on with a state that no replay reaches.
     */
    private static final class GatewayEndedError extends Error {
        private static final long serialVersionUID = 1;

        GatewayEndedError() {
            super("the gateway has ended; the outputs of the logic go nowhere");
        }
    }
}
