package io.slipstream.service;

import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.text.ShellWord;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.gateway.GatewayLimits;
import io.slipstream.service.gateway.GatewaySecurity;
import io.slipstream.service.gateway.NativeProtocol;
import io.slipstream.service.host.Host;
import io.slipstream.service.logic.LogicLimits;
import io.slipstream.service.pressure.Shedding;
import io.slipstream.service.security.Authenticator;
import io.slipstream.service.security.Tls;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.spi.LogGate;
import io.slipstream.service.spi.Protocol;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How a service runs. A value: {@link #in} gives the defaults; each {@code with} method returns a changed copy. */
public final class ServiceConfig implements Cloneable {
    /** The most threads that may read and write connections. */
    public static final int MAX_GATEWAY_THREADS = 8;

    private final Path directory;
    private InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
    private Map<Protocol, InetSocketAddress> protocols = Map.of();
    private @Nullable Path sharedMemory;
    private JournalConfig journal = JournalConfig.at(Durability.SYNC);
    private Duration maxResponseTime = Duration.ofMillis(50);
    private Duration drainTime = Duration.ofSeconds(10);
    private Duration slowEntryAfter = Duration.ofSeconds(10);
    private Duration maxClockLeap = Duration.ofDays(1);
    private ServiceLimits limits = ServiceLimits.DEFAULT;
    private Shedding shedding = Shedding.QUERIES;
    private @Nullable WarmUp warmUp;
    private Threading threading = Threading.forProcessors(Runtime.getRuntime().availableProcessors());
    private int gatewayThreads = 1;
    private WaitStrategy waiting = WaitStrategy.parking();
    private @Nullable PinPlan pinning;
    private SnapshotPolicy snapshots = SnapshotPolicy.onDemand();
    private long checkEvery = 1_000_000;
    private boolean failureMessages = true;
    private ServiceEvents events = ServiceEvents.logged();
    private @Nullable LogGate logGate;
    private Host host = Host.system();
    private Access access = Access.UNSAID;

    private ServiceConfig(Path directory) {
        this.directory = Objects.requireNonNull(directory, "directory");
    }

    /** Returns the defaults: loopback, any port, every answered command forced to disk, answers within 50 ms. */
    public static ServiceConfig in(Path directory) {
        return new ServiceConfig(directory);
    }

    /** Returns the folder of the journal, which is made if it does not exist. */
    public Path directory() {
        return directory;
    }

    /** Returns the address to listen on. */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns a copy that listens on another address; port 0 takes any free one. */
    public ServiceConfig withAddress(InetSocketAddress newAddress) {
        Objects.requireNonNull(newAddress, "address");
        return with(copy -> copy.address = newAddress);
    }

    /** Returns where other protocols than the native one are spoken. */
    public Map<Protocol, InetSocketAddress> protocols() {
        return protocols;
    }

    /** Returns a copy that also speaks {@code protocol}, on an address of its own; port 0 takes any free one. */
    public ServiceConfig withProtocol(Protocol protocol, InetSocketAddress newAddress) {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(newAddress, "address");
        Map<Protocol, InetSocketAddress> more = new LinkedHashMap<>(protocols);
        more.put(protocol, newAddress);
        return with(copy -> copy.protocols = Collections.unmodifiableMap(more));
    }

    /** Returns where clients of this machine come by shared memory; null for nowhere. */
    public @Nullable Path sharedMemory() {
        return sharedMemory;
    }

    /**
     * Returns a copy that clients of this machine, and of this user alone, also reach through shared memory.
     *
     * @param door such as {@link io.slipstream.ipc.IpcChannel#named} gives for a name
     */
    public ServiceConfig withSharedMemory(Path door) {
        Objects.requireNonNull(door, "door");
        return with(copy -> copy.sharedMemory = door);
    }

    /** Returns where each protocol is spoken, the native one among them. */
    public Map<Protocol, InetSocketAddress> addresses() {
        Map<Protocol, InetSocketAddress> all = new LinkedHashMap<>();
        all.put(NativeProtocol.INSTANCE, address);
        all.putAll(protocols);
        return all;
    }

    /** Returns how the journal writes. */
    public JournalConfig journal() {
        return journal;
    }

    /** Returns a copy whose journal writes otherwise. */
    public ServiceConfig withJournal(JournalConfig newJournal) {
        Objects.requireNonNull(newJournal, "journal");
        return with(copy -> copy.journal = newJournal);
    }

    /** Returns how long an accepted command may take to its answer; what would take longer is refused as busy. */
    public Duration maxResponseTime() {
        return maxResponseTime;
    }

    /**
     * Returns a copy with another bound on the time to the answer of an accepted command, from 1 ms to a minute; 50 ms
     * if unset. Commands are refused as busy by the measured time of those that wait before them. One that has waited
     * for longer before it is logged is refused as well, and was not applied then. A command that takes longer by
     * itself is accepted when nothing else waits; what the disk takes is not counted.
     */
    public ServiceConfig withMaxResponseTime(Duration time) {
        Objects.requireNonNull(time, "time");
        ServiceLimits.require("maxResponseTime in ms", Patience.countable(time).toMillis(), 1, 60_000);
        return with(copy -> copy.maxResponseTime = time);
    }

    /** Returns how long {@code close} waits for the answers to what was accepted. */
    public Duration drainTime() {
        return drainTime;
    }

    /** Returns after how long it is told that the state machine is still in one command, timer or query. */
    public Duration slowEntryAfter() {
        return slowEntryAfter;
    }

    /**
     * Returns a copy that tells after another time, from 10 ms to an hour, that the state machine is still in one and
     * the same command, timer or query; 10 s if unset. See {@link ServiceEvents#onSlowEntry}.
     */
    public ServiceConfig withSlowEntryAfter(Duration time) {
        Objects.requireNonNull(time, "time");
        ServiceLimits.require("slowEntryAfter in ms", Patience.countable(time).toMillis(), 10, 3_600_000);
        return with(copy -> copy.slowEntryAfter = time);
    }

    /**
     * Returns a copy whose {@code close} waits so long for the answers to what was accepted; 10 s if unset. Then it
     * waits as long again, and 5 s at least, for its threads. One that has not ended by then, such as one whose state
     * machine loops, is left behind: see {@link Service#close}.
     */
    public ServiceConfig withDrainTime(Duration time) {
        Objects.requireNonNull(time, "time");
        ServiceLimits.require("drainTime in ms", Patience.countable(time).toMillis(), 0, 3_600_000);
        return with(copy -> copy.drainTime = time);
    }

    /** Returns by how much the clock may leap ahead while the time of the log follows it. */
    public Duration maxClockLeap() {
        return maxClockLeap;
    }

    /**
     * Returns a copy whose log follows the clock of the machine unless that leaps ahead by more than {@code leap}, from
     * a second to a hundred years; a day if unset. The time of a log never goes back, so a leap is there for good.
     */
    public ServiceConfig withMaxClockLeap(Duration leap) {
        Objects.requireNonNull(leap, "leap");
        ServiceLimits.require("maxClockLeap in s", leap.toSeconds(), 1, 36_525L * 86_400);
        return with(copy -> copy.maxClockLeap = leap);
    }

    /** Returns how many and how large things may be. */
    public ServiceLimits limits() {
        return limits;
    }

    /**
     * Returns a copy with other limits, as in {@code withLimits(limits -> limits.withMaxFrameLength(1 << 18))}.
     *
     * @param change gets the limits that this has
     * @throws IllegalArgumentException if what it returns does not fit together, or not into the journal
     */
    public ServiceConfig withLimits(UnaryOperator<ServiceLimits> change) {
        ServiceLimits newLimits = Objects.requireNonNull(change.apply(limits), "limits");
        return with(copy -> copy.limits = newLimits);
    }

    /** Returns what is refused first when it gets full. */
    public Shedding shedding() {
        return shedding;
    }

    /**
     * Returns a copy that refuses other requests first when it gets full, from 85 % on; by default that is queries. A
     * typed service gives {@link io.slipstream.service.typed.Contract#shedding}.
     */
    public ServiceConfig withShedding(Shedding newShedding) {
        Objects.requireNonNull(newShedding, "shedding");
        return with(copy -> copy.shedding = newShedding);
    }

    /** Returns how the service is warmed up before it serves; null if it is not. */
    public @Nullable WarmUp warmUp() {
        return warmUp;
    }

    /**
     * Returns a copy that is warmed up before it serves, for a service that is started with what makes its machines:
     * a second service with a machine of its own gets the commands, and is thrown away.
     */
    public ServiceConfig withWarmUp(WarmUp newWarmUp) {
        Objects.requireNonNull(newWarmUp, "warmUp");
        return with(copy -> copy.warmUp = newWarmUp);
    }

    /** Returns on how many threads the stages run. */
    public Threading threading() {
        return threading;
    }

    /** Returns a copy that runs on another number of threads. */
    public ServiceConfig withThreading(Threading newThreading) {
        Objects.requireNonNull(newThreading, "threading");
        return with(copy -> copy.threading = newThreading);
    }

    /** Returns how many threads read and write connections. */
    public int gatewayThreads() {
        return gatewayThreads;
    }

    /**
     * Returns a copy with another number of gateways, from 1 to {@value #MAX_GATEWAY_THREADS}, each with its own
     * thread; 1 if unset. More than one need {@link Threading#THREE}, which {@link Service#start} checks. The clients
     * that connect are given to them in turn.
     *
     * <p>An {@link Authenticator}, a {@link Shedding}, a {@link Protocol} and {@link ServiceEvents} are called by each
     * of these threads then. Memory for what is unread or half read is divided among the gateways; all other limits
     * apply to all of them together.
     */
    public ServiceConfig withGatewayThreads(int threads) {
        ServiceLimits.require("gatewayThreads", threads, 1, MAX_GATEWAY_THREADS);
        return with(copy -> copy.gatewayThreads = threads);
    }

    /** Checks that the threads are there that several gateways need. */
    void requireThreads() {
        if (gatewayThreads > 1 && threading != Threading.THREE) {
            throw new IllegalArgumentException(
                    "gatewayThreads " + gatewayThreads + " needs a thread for each stage, and" + " threading is "
                            + threading + ": set Threading.THREE, or have one gateway thread");
        }
    }

    /** Returns what a thread does while there is nothing to do. */
    public WaitStrategy waiting() {
        return waiting;
    }

    /** Returns a copy whose threads wait otherwise. */
    public ServiceConfig withWaiting(WaitStrategy newWaiting) {
        Objects.requireNonNull(newWaiting, "waiting");
        return with(copy -> copy.waiting = newWaiting);
    }

    /** Returns on which CPUs the threads run; null leaves that to the system. */
    public @Nullable PinPlan pinning() {
        return pinning;
    }

    /**
     * Returns a copy whose threads run where {@code plan} says, as far as the system allows it: journal, logic, gateway
     * in this order, as far as they are threads of their own; further gateways come last.
     */
    public ServiceConfig withPinning(PinPlan plan) {
        Objects.requireNonNull(plan, "plan");
        return with(copy -> copy.pinning = plan);
    }

    /** Returns the bounds of the gateway; for whatever stands in the place of a service, such as a cluster's member. */
    public GatewayLimits gatewayLimits() {
        return limits.ofGateway(maxResponseTime, shedding);
    }

    /** Returns when snapshots are taken, and what of the log is kept behind them. */
    public SnapshotPolicy snapshots() {
        return snapshots;
    }

    /** Returns a copy that takes snapshots otherwise; by default they are taken on demand, and nothing is trimmed. */
    public ServiceConfig withSnapshots(SnapshotPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return with(copy -> copy.snapshots = policy);
    }

    /**
     * Returns after how many log entries, at the latest, the hash of the state is written into the log; 0 for never.
     */
    public long checkEvery() {
        return checkEvery;
    }

    /**
     * Returns a copy that writes the hash of the state into the log after another number of entries; 0 for never. The
     * hash is also written when the log has grown by 16 MiB, and when the service is closed; each snapshot has it as
     * well. A replay compares its own with it, and finds out where a machine diverged.
     */
    public ServiceConfig withStateChecks(long entries) {
        ServiceLimits.require("the number of entries between two checks", entries, 0, Long.MAX_VALUE);
        return with(copy -> copy.checkEvery = entries);
    }

    /** Returns the listener for lifecycle events; by default the system's logger. */
    public ServiceEvents events() {
        return events;
    }

    /** Returns a copy with another listener for lifecycle events. */
    public ServiceConfig withEvents(ServiceEvents listener) {
        Objects.requireNonNull(listener, "listener");
        return with(copy -> copy.events = listener);
    }

    /** Returns whether a client is told what the state machine has thrown on its command. */
    public boolean failureMessages() {
        return failureMessages;
    }

    /**
     * Returns a copy that tells clients class and message of what the state machine has thrown on their command, or
     * only the number of the log entry. They are told by default; {@link #events} always has all of it.
     */
    public ServiceConfig withFailureMessages(boolean told) {
        return with(copy -> copy.failureMessages = told);
    }

    /** Returns what holds the log back until somebody else has it, too; null if nothing does. */
    public @Nullable LogGate logGate() {
        return logGate;
    }

    /** Returns a copy whose log passes {@code gate} before its commands are applied and answered. */
    public ServiceConfig withLogGate(LogGate gate) {
        Objects.requireNonNull(gate, "gate");
        return with(copy -> copy.logGate = gate);
    }

    /** Returns what the service takes time, sockets, files and threads from; by default the machine that it runs on. */
    public Host host() {
        return host;
    }

    /** Returns a copy that runs on another host, such as a simulated one. */
    public ServiceConfig withHost(Host newHost) {
        Objects.requireNonNull(newHost, "host");
        return with(copy -> copy.host = newHost);
    }

    /** Returns who decides which clients get in; null lets everybody in. */
    public @Nullable Authenticator authenticator() {
        return access.authenticator();
    }

    /** Returns a copy that lets only those clients in whom {@code newAuthenticator} knows. */
    public ServiceConfig withAuthenticator(Authenticator newAuthenticator) {
        Objects.requireNonNull(newAuthenticator, "authenticator");
        return with(copy -> copy.access = access.withAuthenticator(newAuthenticator));
    }

    /** Returns what encrypts connections; null if they are plain. */
    public @Nullable Tls tls() {
        return access.tls();
    }

    /** Returns a copy whose clients of all protocols speak TLS; see {@link Tls#server}. */
    public ServiceConfig withTls(Tls newTls) {
        Objects.requireNonNull(newTls, "tls");
        return with(copy -> copy.access = access.withTls(newTls));
    }

    /**
     * Returns a copy that listens also on addresses that other machines reach, and lets everybody in: whoever reaches
     * the port can send commands, and read along.
     */
    public ServiceConfig withOpenAccess() {
        return with(copy -> copy.access = access.opened());
    }

    /** Returns how the gateway finds out who its clients are; as {@link #gatewayLimits}. */
    public GatewaySecurity security() {
        return new GatewaySecurity(access.authenticator(), access.tls(), events);
    }

    /**
     * Checks that nobody opens a service to the network by accident.
     *
     * @throws IllegalArgumentException if other machines reach an address, and nobody has said who may come that way
     */
    public void requireAccessSaid() {
        requireAccessSaid("withAuthenticator", "withTls", "withOpenAccess()");
    }

    /**
     * As {@link #requireAccessSaid()}, for whoever sets this up by other names, such as a command line: the message
     * names those.
     *
     * @param authenticator what says who gets in
     * @param encryption    what encrypts connections
     * @param open          what lets everybody in
     */
    public void requireAccessSaid(String authenticator, String encryption, String open) {
        access.requireSaid(addresses().values(), authenticator, encryption, open);
    }

    /** Returns the bounds of the logic; as {@link #gatewayLimits}. */
    public LogicLimits logicLimits() {
        return limits.ofLogic(skipCommand());
    }

    /** Returns what an operator says, before the number of an entry, to have it skipped. */
    String skipCommand() {
        return "slipstream journal skip "
                + ShellWord.of(directory.toAbsolutePath().normalize());
    }

    private ServiceConfig with(Consumer<ServiceConfig> change) {
        try {
            ServiceConfig copy = (ServiceConfig) clone();
            change.accept(copy);
            copy.limits.requireFit(copy.journal);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
