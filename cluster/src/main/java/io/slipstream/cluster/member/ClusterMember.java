package io.slipstream.cluster.member;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.copy.CatchUp;
import io.slipstream.cluster.copy.CopySource;
import io.slipstream.cluster.copy.Installation;
import io.slipstream.cluster.engine.Applier;
import io.slipstream.cluster.engine.Engine;
import io.slipstream.cluster.engine.Housekeeping;
import io.slipstream.cluster.engine.Ingress;
import io.slipstream.cluster.folder.DirectoryLock;
import io.slipstream.cluster.folder.Lives;
import io.slipstream.cluster.folder.MemberMark;
import io.slipstream.cluster.log.EvenHost;
import io.slipstream.cluster.log.LaterLifeException;
import io.slipstream.cluster.log.MemberState;
import io.slipstream.cluster.log.Replicated;
import io.slipstream.cluster.log.ReplicatedService;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.Undisturbed;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.gateway.ConnectionBudget;
import io.slipstream.service.gateway.NativeProtocol;
import io.slipstream.service.host.Host;
import io.slipstream.service.log.LogSchema;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.snapshot.ChunkedOutput;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A running member. Clients may come to any member: what they send goes through the leader's log, and each member
 * answers its own clients. While a member does not reach the majority, it sends its clients away.
 *
 * <p>A state machine that throws an {@link Error}, or whose state is not the one that the majority has, stops its
 * member; {@link #ended} tells why.
 */
public final class ClusterMember implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final long SIGN_PAUSE_NANOS = 1_000_000;
    private static final int SIGN_TIMEOUTS = 5;

    private final ClusterConfig config;
    private final DirectoryLock lock;
    private final SkippedEntries skipped;
    private final EvenHost host;
    private final ReplicatedService replicating;
    private final Replicated replicated;
    private final Engine engine;
    private final Housekeeping housekeeping;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile @Nullable Throwable reported;
    private boolean closed;

    /**
     * Starts a member. It returns before there is a leader; clients are let in when there is one, and this member has
     * what it has missed. A member that is {@link Joining#REPLACE replaced}, or was away for so long that the log of
     * the leader begins behind the end of its own, copies the last snapshot and the log behind it from the leader
     * first, which takes as long as that takes. Until it has all, it has what it had before.
     *
     * <p>What is copied comes from the control port of the leader, which a {@link
     * io.slipstream.cluster.control.MemberProcess} has.
     *
     * @param machine in its initial state
     * @throws IOException              if the folder or an address is in use; if the folder does not hold what {@link
     *                                  ClusterConfig#joining} says; or if there is no leader to copy from
     * @throws IllegalArgumentException if the machine does not save its state, and the log is to be trimmed; or if it
     *                                  would misread commands of the log
     */
    public static ClusterMember start(ClusterConfig config, StateMachine machine) throws IOException {
        return start(config, machine, null);
    }

    /**
     * As {@link #start(ClusterConfig, StateMachine)}, and shows other processes how the member is.
     *
     * @param counters with at least {@value MemberCounters#PLACES} free places; whoever made them closes them, after
     *                 the member
     */
    public static ClusterMember start(ClusterConfig config, StateMachine machine, @Nullable Counters counters)
            throws IOException {
        return start(config, machine, counters, null);
    }

    /**
     * As {@link #start(ClusterConfig, StateMachine, Counters)}, in a cluster whose members have a token.
     *
     * @param token with which other members let this one copy what it lacks; null for none
     */
    public static ClusterMember start(
            ClusterConfig config, StateMachine machine, @Nullable Counters counters, @Nullable String token)
            throws IOException {
        ServiceConfig service = config.service().withAddress(clients(config));
        ConnectionBudget.require(service.limits().maxConnections());
        service.requireAccessSaid();
        if (service.gatewayThreads() > 1) {
            throw new IllegalArgumentException(
                    "a member of a cluster has one gateway thread, not " + service.gatewayThreads());
        }
        requireSaved(config, machine);
        DirectoryLock lock = DirectoryLock.of(service.directory());
        try {
            Installation.finish(service.directory());
            LogSchema schema = LogSchema.require(service.directory(), machine, service.events()::onWarning);
            MemberMark.require(service.directory(), config.id(), config.joining());
            complete(config, new CatchUp(config, token));
            // Aeron's channels end with an interrupt of the thread that makes them.
            ClusterMember started = Undisturbed.call(() -> new ClusterMember(config, service, machine, lock, counters));
            schema.keep(service.events()::onWarning);
            return started;
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Without snapshots the log grows until the disk is full, at all members. */
    private static void requireSaved(ClusterConfig config, StateMachine machine) {
        if (config.snapshotLogBytes() == 0) {
            return;
        }
        try {
            machine.save(new ChunkedOutput((memory, offset, bytes) -> {}));
        } catch (UnsupportedOperationException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + ", so the log could never be trimmed. Let it save and load its state, or say"
                            + " withSnapshotLogBytes(0) (--no-snapshots) and give the log room to grow",
                    e);
        }
    }

    /** Copies what the folder lacks of what the others have, if they would not have it in their logs any more. */
    private static void complete(ClusterConfig config, CatchUp catchUp) throws IOException {
        ServiceConfig service = config.service();
        EvenHost host = new EvenHost(service.host(), service.maxClockLeap(), ahead -> {});
        if (config.joining() == Joining.REPLACE) {
            replace(config, catchUp, host);
        } else if (isOutOfDate(config, catchUp)) {
            replace(config, catchUp, host);
        } else if (config.joining() == Joining.AGAIN && catchUp.lacks(service.directory())) {
            catchUp.catchUp(service.directory(), host);
        }
    }

    /** A backup lacks what was answered since. If the others have a leader, only what that one has counts. */
    private static boolean isOutOfDate(ClusterConfig config, CatchUp catchUp) throws IOException {
        return MemberMark.isRestored(config.service().directory(), config.id()) && catchUp.hasLeader();
    }

    private static void replace(ClusterConfig config, CatchUp catchUp, Host host) throws IOException {
        Path directory = config.service().directory();
        MemberMark.learner(directory, config.id());
        catchUp.replace(directory, host);
        MemberMark.member(directory, config.id());
    }

    private static InetSocketAddress clients(ClusterConfig config) {
        return new InetSocketAddress(
                config.listensOn(), config.members().get(config.id()).port());
    }

    private ClusterMember(
            ClusterConfig config,
            ServiceConfig service,
            StateMachine machine,
            DirectoryLock lock,
            @Nullable Counters counters)
            throws IOException {
        this.config = config;
        this.lock = lock;
        this.skipped = SkippedEntries.load(service.directory());
        this.host = new EvenHost(service.host(), service.maxClockLeap(), this::tellClock);
        long life = Lives.next(service.directory(), host.epochNanos());
        this.replicating = new ReplicatedService(config, service, machine, host, life, skipped::contains, this::failed);
        this.replicated = replicating.replicated();
        Engine started = null;
        Ingress ingress = null;
        Housekeeping tidying = null;
        try {
            started = new Engine(
                    config, service.directory(), new Applier(replicated), host, this::report, this::onTerminated);
            this.engine = started;
            MemberMark.member(service.directory(), config.id());
            ingress = new Ingress(config, engine, host::nanoTime);
            tidying = new Housekeeping(config, engine, service.directory(), () -> !replicated.isInDoubt());
            this.housekeeping = tidying;
            replicating.start(
                    ingress,
                    this::disturb,
                    counters == null ? () -> 0 : new MemberCounters(this, replicating.counters(counters), counters));
        } catch (IOException | RuntimeException | Error e) {
            replicating.stop();
            if (tidying != null) {
                tidying.close();
            }
            if (ingress != null) {
                ingress.close();
            }
            if (started != null) {
                started.close();
            }
            replicating.close();
            throw e;
        }
    }

    private int disturb() {
        config.disturbance().round();
        return 0;
    }

    /** Returns the port that clients connect to. */
    public int port() {
        return replicating.port(NativeProtocol.INSTANCE);
    }

    /** Returns the port where {@code protocol} is spoken. */
    public int port(Protocol protocol) {
        return replicating.port(protocol);
    }

    /** Returns how the member is set up. */
    public ClusterConfig config() {
        return config;
    }

    /** Returns whether this member is the leader. */
    public boolean isLeader() {
        return !isEnded() && engine.isLeader();
    }

    /** Returns which member is the leader as far as this one knows; -1 before it has heard of one. */
    public int leaderId() {
        return replicated.leaderId();
    }

    /** Returns how many leaders this member has seen come since it has started. */
    public long terms() {
        return replicated.terms();
    }

    /** Returns whether this member lets clients in: it has joined the cluster, and reaches the majority. */
    public boolean isPresent() {
        return replicating.isPresent();
    }

    /** Returns whether this member has what it has missed, and follows or is a leader that it knows to be one. */
    public boolean isReady() {
        return isPresent() && !isEnded() && engine.isSettled();
    }

    /** Returns how far the clock of the machine is ahead of the member's time, in nanoseconds; negative if behind. */
    public long clockAheadNanos() {
        return host.aheadNanos();
    }

    /** Returns how many bytes the log has behind the last snapshot, which a start replays. */
    public long replayBytes() {
        return Math.max(0, logBytes() - housekeeping.snapshotAt());
    }

    /** Returns the term of the log, which grows with each election that has a leader, over all starts; -1 for none. */
    public long term() {
        return engine.term();
    }

    /** Returns in how many elections this member has taken part since it has started. */
    public long elections() {
        return engine.elections();
    }

    /** Returns how many bytes of the log are committed, as far as this member knows, and not applied here yet. */
    public long lagBytes() {
        return Math.max(0, logBytes() - replicated.position().getAcquire());
    }

    /** Returns how old the last snapshot is; negative if there is none. */
    public Duration snapshotAge() {
        long taken = housekeeping.snapshotEpochNanos();
        return taken == 0 ? Duration.ofSeconds(-1) : Duration.ofNanos(Math.max(0, host.epochNanos() - taken));
    }

    /** Returns for how long the state machine has been in one entry when it was last looked at; zero if it is not. */
    public Duration stuck() {
        return replicating.stuck();
    }

    /**
     * Sends the last snapshot and the log behind it to a member that lacks them, or the reason why not: for the leader,
     * while it reaches the majority. Any thread, for as long as that takes.
     *
     * @param key with which the copy is sealed
     * @throws IOException if {@code out} does, or the files cannot be read
     */
    public void copyTo(OutputStream out, byte[] key) throws IOException {
        // The channels of the files, and those to the archive, end with an interrupt of the thread that uses them.
        Undisturbed.call(() -> {
            send(out, key);
            return null;
        });
    }

    private void send(OutputStream out, byte[] key) throws IOException {
        CopySource.send(
                config.service().directory(),
                new CopySource.Office() {
                    @Override
                    public long term() {
                        return isPresent() && isLeader() ? engine.term() : -1;
                    }

                    @Override
                    public long askForSign() {
                        return replicating.askForSign();
                    }

                    @Override
                    public boolean hasSign(long asked) {
                        return awaitSign(asked);
                    }

                    @Override
                    public long recorded(long recording) throws IOException {
                        return engine.recorded(recording);
                    }
                },
                out,
                key);
    }

    private boolean awaitSign(long asked) {
        long begin = host.nanoTime();
        while (replicated.probed().getAcquire() < asked) {
            if (isEnded()
                    || host.nanoTime() - begin
                            > SIGN_TIMEOUTS * config.leaderTimeout().toNanos()) {
                return false;
            }
            host.pause(SIGN_PAUSE_NANOS);
        }
        return true;
    }

    private void tellClock(Duration ahead) {
        if (ahead.isZero()) {
            LOG.log(System.Logger.Level.INFO, "member " + config.id() + ": the clock of the machine is right again");
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "member " + config.id() + ": the clock of the machine is "
                            + ahead.abs() + (ahead.isNegative() ? " behind" : " ahead of") + " the member's time,"
                            + " which approaches it by"
                            + " three seconds a minute."
                            + " Set the clock if it is"
                            + " wrong; start the member"
                            + " again if it is right");
        }
    }

    /** Returns the sequence of the last log entry that was applied. */
    public long applied() {
        return replicated.applied().getAcquire();
    }

    /**
     * Returns the version of the state machine that the log has come to, and that all members act as; -1 before the
     * first entry.
     */
    public int version() {
        return replicated.version();
    }

    /** Returns the version of the state machine that this member runs, which it acts as after an {@link #upgrade}. */
    public int knownVersion() {
        return replicating.knownVersion();
    }

    /**
     * Puts the switch to {@link #knownVersion} into the log: from that entry on all members act as that version. It is
     * there when {@link #version} says so. Nothing happens if the log has come to that version before.
     *
     * <p>Each other member must know the version. One that does not, stops at the entry, and starts with newer code
     * only.
     */
    public void upgrade() {
        replicating.upgrade();
    }

    /** Returns how many bytes the log has had so far, as far as they are committed. */
    public long logBytes() {
        return engine.commitPosition();
    }

    /** Returns how many snapshots this member has taken since it has started. */
    public long snapshots() {
        return engine.snapshots();
    }

    /** Asks where the state machine is, between two entries. */
    public CompletableFuture<MemberState> state() {
        CompletableFuture<MemberState> state = replicated.state();
        ended.whenComplete((nothing, cause) ->
                state.completeExceptionally(new IllegalStateException("member " + config.id() + " has ended", cause)));
        return state;
    }

    /**
     * Asks all members for a snapshot; returns whether this one could, as the leader that takes none at present. There
     * is none while {@link #isInDoubt members differ}.
     */
    public boolean takeSnapshot() {
        return !isEnded() && !isInDoubt() && engine.takeSnapshot();
    }

    /** Returns the entries that it passes over, with commas between; "-" if there are none. */
    public String skipped() {
        return skipped.toString();
    }

    /** Returns whether members have different states, and no majority has agreed on one yet. */
    public boolean isInDoubt() {
        return replicated.isInDoubt();
    }

    /** Completes when the member has ended: normally by {@link #close}, exceptionally with what has stopped it. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Returns whether the member has ended, or is about to. */
    public boolean isEnded() {
        return failure.get() != null || ended.isDone();
    }

    /** Ends the member. Its clients go to another one; the others elect a new leader if it was this one. */
    @Override
    public void close() {
        try {
            // Agents of Aeron that an interrupted thread closes go on for a while, on memory that is no longer there.
            Undisturbed.call(() -> {
                end();
                return null;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void report(Throwable error) {
        reported = error;
        if (!closed && failure.get() == null) {
            LOG.log(System.Logger.Level.WARNING, "member " + config.id() + ": " + error);
        }
    }

    private void onTerminated(@Nullable Throwable death) {
        if (!closed) {
            Throwable cause = death == null ? reported : death;
            failed(new IllegalStateException(
                    "the cluster's engine has ended by itself: " + cause
                            + (death instanceof InternalError
                                    ? "; is the disk of " + config.service().directory()
                                            + ", or the shared memory of this machine, full?"
                                    : ""),
                    cause));
        }
    }

    private void failed(Throwable cause) {
        if (cause instanceof LaterLifeException later) {
            noteLife(later);
        }
        if (failure.compareAndSet(null, cause)) {
            LOG.log(System.Logger.Level.ERROR, "member " + config.id() + " stops: " + cause);
        }
        host.run("slipstream-end", this::end);
    }

    private void noteLife(LaterLifeException later) {
        try {
            Lives.been(config.service().directory(), later.life());
        } catch (IOException e) {
            later.addSuppressed(e);
        }
    }

    private synchronized void end() {
        if (ended.isDone()) {
            return;
        }
        closed = true;
        replicating.stop();
        housekeeping.close();
        engine.close();
        replicating.close();
        lock.close();
        Throwable first = failure.get();
        if (first == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(first);
        }
    }
}
