package io.slipstream.cluster.control;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.copy.CatchUp;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.log.MemberState;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.cluster.wire.ControlLines;
import io.slipstream.core.counters.Counters;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A member that operators can ask and command; it steps down by starting again within the same process. */
public final class MemberProcess implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final long ANSWER_SECONDS = 3;
    private static final Duration LOOK_PATIENCE = Duration.ofSeconds(1);
    private static final long LEAST_STEP_NANOS = 10_000_000_000L;
    private static final int STEP_TIMEOUTS = 8;
    private static final long SWITCH_SECONDS = 10;
    private static final long LOOK_NANOS = 1_000_000_000;
    private static final long LAST_LOOK_MILLIS = 5_000;
    private static final long PAUSE_NANOS = 20_000_000;

    private final ClusterConfig config;
    private final Supplier<? extends StateMachine> machines;
    private final @Nullable Counters counters;
    private final @Nullable String token;
    private final CatchUp catchUp;
    private final Thread looking;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ControlPort control;
    private final ControlClient others;
    private volatile ClusterMember member;
    private volatile boolean isClosed;

    private MemberProcess(
            ClusterConfig config,
            Supplier<? extends StateMachine> machines,
            @Nullable Counters counters,
            @Nullable String token)
            throws IOException {
        this.others = new ControlClient(token, LOOK_PATIENCE);
        // When it starts again, it is a member that was here before.
        this.config = config.withJoining(Joining.AGAIN);
        this.machines = machines;
        this.counters = counters;
        this.token = token;
        this.catchUp = new CatchUp(config, token);
        this.member = ClusterMember.start(config, machines.get(), counters, token);
        watch(member);
        MemberAddress own = config.members().get(config.id());
        try {
            this.control = new ControlPort(
                    new InetSocketAddress(config.listensOn(), own.controlPort()), token, this::answer, this::copy);
        } catch (IOException e) {
            member.close();
            throw e;
        }
        this.looking = Thread.ofPlatform().daemon().name("slipstream-catch-up").start(this::look);
    }

    /**
     * Starts a member.
     *
     * @param machines makes a machine in its initial state, for each start
     * @throws IOException as {@link ClusterMember#start}
     */
    public static MemberProcess start(ClusterConfig config, Supplier<? extends StateMachine> machines)
            throws IOException {
        return new MemberProcess(config, machines, null, null);
    }

    /**
     * As {@link #start(ClusterConfig, Supplier)}, and shows other processes how the member is.
     *
     * @param token that operators, and the other members, have to know; null for none
     */
    public static MemberProcess start(
            ClusterConfig config,
            Supplier<? extends StateMachine> machines,
            @Nullable Counters counters,
            @Nullable String token)
            throws IOException {
        return new MemberProcess(config, machines, counters, token);
    }

    /** Returns the member, which is another one after it has stepped down. */
    public ClusterMember member() {
        return member;
    }

    /** Completes when the process is to end: as {@link ClusterMember#ended}, but not when the member steps down. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    private void watch(ClusterMember of) {
        of.ended().whenComplete((nothing, failure) -> {
            if (failure != null) {
                ended.completeExceptionally(failure);
            }
        });
    }

    private String answer(String line) {
        try {
            return CatchUp.asksForStart(line) ? begin() : command(line);
        } catch (IOException | RuntimeException e) {
            return "no: " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    private String command(String line) throws IOException {
        return switch (line) {
            case "status" -> report().line();
            case "snapshot" -> snapshot();
            case "transfer" -> stepDown();
            case "upgrade" -> upgrade();
            default -> "no: it knows status, snapshot, transfer and upgrade, not '" + line + "'";
        };
    }

    private String begin() throws IOException {
        return member.isLeader()
                ? CatchUp.answer(MemberLog.of(config.service().directory()))
                : ControlLines.REFUSED + "it is not the leader";
    }

    private void copy(OutputStream out, byte[] key) throws IOException {
        member.copyTo(out, key);
    }

    /** A member that runs, too, may be away until the leader has removed what it lacks: cut off, or stopped. */
    private void look() {
        while (!isClosed) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            if (!isClosed && !member.isEnded() && !member.isReady()) {
                try {
                    if (catchUp.lacks(config.service().directory())) {
                        catchUp();
                    }
                } catch (IOException | RuntimeException | OutOfMemoryError e) {
                    LOG.log(System.Logger.Level.DEBUG, "while it was looked whether the member lacks anything", e);
                }
            }
        }
    }

    private synchronized void catchUp() throws IOException {
        if (isClosed || member.isEnded()) {
            return;
        }
        member.close();
        startAgain();
    }

    private void startAgain() throws IOException {
        try {
            member = ClusterMember.start(config, machines.get(), counters, token);
        } catch (IOException | RuntimeException | Error e) {
            if (!isClosed) {
                ended.completeExceptionally(e);
            }
            throw e;
        }
        watch(member);
    }

    private String snapshot() {
        if (member.isInDoubt()) {
            return "no: members have different states, and a snapshot might keep a wrong one; its output says more";
        }
        return member.takeSnapshot() ? "yes" : "no: it is not the leader, or takes a snapshot at present";
    }

    private Report report() throws IOException {
        ClusterMember of = member;
        try {
            MemberState state = of.state().get(ANSWER_SECONDS, TimeUnit.SECONDS);
            return new Report(
                    config.id(),
                    of.leaderId(),
                    of.isLeader(),
                    of.isReady(),
                    state.sequence(),
                    state.stateHash(),
                    state.sessions(),
                    of.logBytes(),
                    of.snapshots(),
                    of.skipped(),
                    of.version(),
                    of.knownVersion());
        } catch (TimeoutException e) {
            throw new IOException(
                    "its state machine has not answered within " + ANSWER_SECONDS
                            + " s; it is busy, or has not joined the cluster yet",
                    e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private String upgrade() throws IOException {
        ClusterMember of = member;
        if (!of.isLeader()) {
            return "no: it is not the leader";
        }
        Upgrade upgrade = new Upgrade(of.version());
        for (MemberAddress each : config.members().all()) {
            try {
                upgrade.add(each.id(), each.id() == config.id() ? report() : others.status(each));
            } catch (IOException e) {
                upgrade.away(String.valueOf(e.getMessage()));
            }
        }
        String refusal = upgrade.refusal();
        if (refusal != null) {
            return ControlLines.REFUSED + refusal;
        }
        of.upgrade();
        return awaitVersion(of, upgrade.version())
                ? "version " + upgrade.version()
                : ControlLines.REFUSED + "the switch has not come back through the log within " + SWITCH_SECONDS
                        + " s; it may come yet, see 'cluster status'";
    }

    private static boolean awaitVersion(ClusterMember of, int version) {
        long begin = System.nanoTime();
        while (of.version() < version) {
            if (of.isEnded() || System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(SWITCH_SECONDS)) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    private synchronized String stepDown() throws IOException {
        if (isClosed || !member.isLeader()) {
            return "no: it is not the leader";
        }
        int ready = 0;
        for (MemberAddress other : config.members().all()) {
            ready += isReady(other) ? 1 : 0;
        }
        if (ready < config.members().majority()) {
            return ControlLines.REFUSED + "without it " + ready + " of "
                    + config.members().size()
                    + " members are ready to go on, which is no majority; see 'cluster status'";
        }
        member.close();
        // Were it back at once, it would as likely as not lead again.
        int next = awaitAnother();
        startAgain();
        return next < 0
                ? ControlLines.REFUSED + "no other member has taken over, so it takes part again; see 'cluster status'"
                : "leader " + next;
    }

    private boolean isReady(MemberAddress other) {
        try {
            return other.id() != config.id() && others.status(other).ready();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns which member leads while this one is away; -1 if none does within a while. */
    private int awaitAnother() {
        long patience = Math.max(
                LEAST_STEP_NANOS, STEP_TIMEOUTS * config.leaderTimeout().toNanos());
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < patience) {
            for (MemberAddress other : config.members().all()) {
                try {
                    if (other.id() != config.id() && others.status(other).leads()) {
                        return other.id();
                    }
                } catch (IOException e) {
                    // It does not run, or is too busy to say so; another one may lead.
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return -1;
    }

    @Override
    public void close() {
        isClosed = true;
        looking.interrupt();
        control.close();
        end();
        try {
            looking.join(LAST_LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void end() {
        member.close();
        ended.complete(null);
    }
}
