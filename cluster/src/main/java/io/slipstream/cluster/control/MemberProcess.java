package io.slipstream.cluster.control;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.log.MemberState;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.core.counters.Counters;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A member that operators can ask and command; it steps down by starting again within the same process. */
public final class MemberProcess implements AutoCloseable {
    private static final long ANSWER_SECONDS = 3;

    private final ClusterConfig config;
    private final Supplier<? extends StateMachine> machines;
    private final @Nullable Counters counters;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ControlPort control;
    private volatile ClusterMember member;
    private boolean closed;

    private MemberProcess(ClusterConfig config, Supplier<? extends StateMachine> machines, @Nullable Counters counters)
            throws IOException {
        // When it starts again, it is a member that was here before.
        this.config = config.withJoining(Joining.AGAIN);
        this.machines = machines;
        this.counters = counters;
        this.member = ClusterMember.start(config, machines.get(), counters);
        watch(member);
        MemberAddress own = config.members().get(config.id());
        try {
            this.control = new ControlPort(new InetSocketAddress(own.host(), own.controlPort()), this::answer);
        } catch (IOException e) {
            member.close();
            throw e;
        }
    }

    /**
     * Starts a member.
     *
     * @param machines makes a machine in its initial state, for each start
     * @throws IOException as {@link ClusterMember#start}
     */
    public static MemberProcess start(ClusterConfig config, Supplier<? extends StateMachine> machines)
            throws IOException {
        return new MemberProcess(config, machines, null);
    }

    /** As {@link #start(ClusterConfig, Supplier)}, and shows other processes how the member is. */
    public static MemberProcess start(
            ClusterConfig config, Supplier<? extends StateMachine> machines, @Nullable Counters counters)
            throws IOException {
        return new MemberProcess(config, machines, counters);
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
            return switch (line) {
                case "status" -> report().line();
                case "snapshot" -> snapshot();
                case "transfer" -> stepDown();
                default -> "no: it knows status, snapshot and transfer, not '" + line + "'";
            };
        } catch (IOException | RuntimeException e) {
            return "no: " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
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
                    state.sequence(),
                    state.stateHash(),
                    state.sessions(),
                    of.logBytes(),
                    of.snapshots());
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

    private synchronized String stepDown() throws IOException {
        if (closed || !member.isLeader()) {
            return "no: it is not the leader";
        }
        member.close();
        member = ClusterMember.start(config, machines.get(), counters);
        watch(member);
        return "yes";
    }

    @Override
    public synchronized void close() {
        closed = true;
        control.close();
        member.close();
        ended.complete(null);
    }
}
