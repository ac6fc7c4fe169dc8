package io.slipstream.cluster.log;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingCounters;
import io.slipstream.core.text.ShellWord;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.SampledCounters;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.service.MachineFailures;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Watchdog;
import io.slipstream.service.gateway.Gateway;
import io.slipstream.service.gateway.Gateways;
import io.slipstream.service.host.Host;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.OutputEndedError;
import io.slipstream.service.logic.OwnEntries;
import io.slipstream.service.machine.ClientSchemas;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Start;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All of a member but what keeps the log: its gateway and its logic, and the way from one to the other.
 *
 * <p>Whoever keeps the log hands it to {@link #replicated}, and takes what the gateway has from a {@link LogTap}.
 */
public final class ReplicatedService implements AutoCloseable {
    private static final long LONGEST_SLEEP_NANOS = 5_000_000;
    private static final int BATCH_BYTES = 1 << 15;
    private static final Duration COUNTER_INTERVAL = Duration.ofMillis(200);

    private final ClusterConfig config;
    private final ServiceConfig service;
    private final EvenHost host;
    private final long life;
    private final Consumer<Throwable> onFailure;
    private final FrameRing input;
    private final FrameRing output;
    private final FramePoller published;
    private final FramePoller own;
    private final FramePoller outputs;
    private final Gateways gateways;
    private final Gateway gateway;
    private final OwnEntries entries;
    private final Replicated replicated;
    private final VersionSwitch versions;
    private final int knownVersion;
    private final Watchdog watchdog;
    private @Nullable Submitter submitter;
    private Host.@Nullable Task task;
    private Host.@Nullable Alarm alarm;
    private volatile boolean present;

    /**
     * Opens the gateway, which lets nobody in yet.
     *
     * @param service   of {@code config}, with the address where clients come
     * @param machine   in its initial state
     * @param life      of the member, greater than those before
     * @param skipped   says which entries an operator wants to be passed over
     * @param onFailure is called with what stops the member, on whichever thread that happens
     * @throws IOException if an address is in use
     */
    public ReplicatedService(
            ClusterConfig config,
            ServiceConfig service,
            StateMachine machine,
            EvenHost host,
            long life,
            LongPredicate skipped,
            Consumer<Throwable> onFailure)
            throws IOException {
        this.config = config;
        this.service = service;
        this.host = host;
        this.life = life;
        this.onFailure = onFailure;
        this.input = FrameRing.forOnePublisher(service.limits().inputRingBytes(), WaitStrategy.parking());
        this.output = FrameRing.forOnePublisher(service.limits().outputRingBytes(), WaitStrategy.parking());
        this.published = input.newPoller();
        this.own = input.newPoller(published.sequence());
        this.outputs = output.newPoller();
        Gateways opened = null;
        Watchdog watching = null;
        try {
            String skipCommand = "slipstream cluster skip "
                    + ShellWord.of(service.directory().toAbsolutePath().normalize());
            Logic logic =
                    new Logic(machine, service.logicLimits().withSkipCommand(skipCommand), output, this::awaitGateway);
            logic.failures().tellClients(service.failureMessages());
            logic.failures().listener(new MachineFailures(service.events()));
            logic.goLive();
            watching = new Watchdog(
                    service.host(),
                    logic.pulse(),
                    service.slowEntryAfter(),
                    service.events()::onSlowEntry,
                    () -> {},
                    skipCommand);
            watching.replayed();
            this.watchdog = watching;
            this.entries = new OwnEntries(input, host);
            this.replicated = new Replicated(
                    logic, own, entries, config.id(), config.members().size(), life, skipped, onFailure);
            entries.ticksWhile(replicated::isLeader);
            opened = new Gateways(
                    host,
                    service.addresses(),
                    service.sharedMemory(),
                    service.security(),
                    ClientSchemas.of(machine),
                    service.gatewayLimits(),
                    input,
                    output,
                    List.of(outputs),
                    replicated.processed(),
                    null,
                    service.events()::onPressure,
                    service.events()::onWarning);
            this.gateways = opened;
            this.gateway = opened.first();
            gateway.away("this member is about to join the cluster");
            this.knownVersion = machine.version();
            this.versions = new VersionSwitch(input, start(machine));
            watching.start();
        } catch (IOException | RuntimeException | Error e) {
            if (watching != null) {
                watching.close();
            }
            if (opened != null) {
                opened.stop();
            }
            closeRings();
            throw e;
        }
    }

    private Start start(StateMachine machine) {
        return new Start(
                machine.name(),
                machine.version(),
                service.limits().maxSessions(),
                host.secret(),
                service.checkEvery(),
                Start.SHARED_RULES);
    }

    /**
     * Sends what comes in by {@code tap} from now on. Clients are let in when the log can be reached, and this member
     * has what it has missed.
     *
     * @param tap   is closed when the service is stopped
     * @param first has the first turn of each round of the gateway's thread, which also runs {@code tap}
     * @param last  has the last one
     */
    public void start(LogTap tap, Duty first, Duty last) {
        versions.announce();
        Submitter sends = new Submitter(
                host,
                input,
                published,
                own.sequence(),
                replicated.probed(),
                tap,
                this::attend,
                config.id(),
                life,
                3 * config.leaderTimeout().toNanos(),
                Math.max(
                        Math.min(BATCH_BYTES, config.termBytes() / 16),
                        Frame.align(service.limits().maxFrameLength())));
        submitter = sends;
        List<Duty> duties = List.of(first, host, gateway, entries, versions, sends, last);
        Host.Task thread = host.task(Worker.builder("slipstream-member", duties)
                .waitStrategy(service.waiting().sleepingAtMost(LONGEST_SLEEP_NANOS))
                .signal(gateway.signal())
                .onFailure(onFailure));
        task = thread;
        alarm = host.alarm(entries::nextDeadline, gateway.signal());
        output.addSignal(gateway.signal());
        thread.start();
    }

    /** Returns what applies the log. */
    public Replicated replicated() {
        return replicated;
    }

    /** Returns the port where {@code protocol} is spoken. */
    public int port(Protocol protocol) {
        return gateways.port(protocol);
    }

    /** Returns whether clients are let in; any thread may ask. */
    public boolean isPresent() {
        return present;
    }

    /** Returns the version of the state machine that the code has. */
    public int knownVersion() {
        return knownVersion;
    }

    /** Puts the switch to {@link #knownVersion} into the log. Any thread. */
    public void upgrade() {
        versions.ask();
    }

    /** Returns what {@link Submitter#askForSign} does. Any thread, once it has started. */
    public long askForSign() {
        Submitter sends = submitter;
        if (sends == null) {
            throw new IllegalStateException("the service has not started");
        }
        return sends.askForSign();
    }

    /** Returns for how long the state machine has been in one entry when it was last looked at; zero if it is not. */
    public Duration stuck() {
        return watchdog.inOne();
    }

    /** Returns what shows other processes the commands and the rings. */
    public List<SampledCounters<?>> counters(Counters counters) {
        return List.of(
                new SampledCounters<>(() -> gateway, counters, "commands", COUNTER_INTERVAL)
                        .add(
                                CounterType.COUNT,
                                "accepted",
                                its -> its.accepted().getAcquire())
                        .add(
                                CounterType.COUNT,
                                "processed",
                                _ -> replicated.processed().getAcquire())
                        .add(
                                CounterType.REFUSED,
                                "refused",
                                its -> its.refused().getAcquire())
                        .add(CounterType.COUNT, "logins", its -> its.logins().getAcquire())
                        .add(CounterType.REFUSED, "denied", its -> its.denied().getAcquire()),
                new RingCounters(input, counters, "input ring", COUNTER_INTERVAL).addLag("the cluster", own.sequence()),
                new RingCounters(output, counters, "output ring", COUNTER_INTERVAL)
                        .addLag("the gateway", outputs.sequence()));
    }

    private void attend(@Nullable String reason) {
        present = reason == null;
        gateway.away(reason);
    }

    private void awaitGateway() {
        if (gateway.isStopped()) {
            throw new OutputEndedError("the gateway has ended; the outputs of the logic go nowhere", null);
        }
        host.giveWay();
    }

    /** Ends the gateway, also of a service that never started. The log may still be applied. */
    public void stop() {
        if (alarm != null) {
            alarm.close();
        }
        watchdog.close();
        if (task != null) {
            task.close();
            return;
        }
        try {
            gateways.stop();
        } catch (IOException e) {
            service.events().onWarning("the gateway did not close in order: " + e);
        }
    }

    /** Gives back the memory, once it is {@link #stop stopped} and nobody applies the log any more. */
    @Override
    public void close() {
        closeRings();
    }

    private void closeRings() {
        input.close();
        output.close();
    }
}
