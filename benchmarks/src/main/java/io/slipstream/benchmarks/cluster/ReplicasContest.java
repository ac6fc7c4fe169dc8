package io.slipstream.benchmarks.cluster;

import io.slipstream.benchmarks.suite.Contest;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/** Sends the same load to three members of ours and to three of a peer's, which are started anew for each round. */
final class ReplicasContest implements Contest {
    private final Replicas.Kind ours;
    private final Replicas.Kind peer;
    private final int commands;
    private final int inFlight;
    private final ToDoubleFunction<Replicas.Seen> figure;

    ReplicasContest(
            Replicas.Kind ours,
            Replicas.Kind peer,
            int commands,
            int inFlight,
            ToDoubleFunction<Replicas.Seen> figure) {
        this.ours = ours;
        this.peer = peer;
        this.commands = commands;
        this.inFlight = inFlight;
        this.figure = figure;
    }

    /** Commands a second. */
    static double rate(Replicas.Seen seen) {
        return seen.each().length * 1e9 / seen.nanos();
    }

    /** Returns which figure it is that so many of a hundred commands took at most, in microseconds. */
    static ToDoubleFunction<Replicas.Seen> percentile(int percent) {
        return seen -> {
            long[] sorted = seen.each().clone();
            Arrays.sort(sorted);
            return sorted[(int) ((sorted.length - 1L) * percent / 100)] / 1e3;
        };
    }

    @Override
    public double ours() throws Exception {
        return run(ours);
    }

    @Override
    public double peer() throws Exception {
        return run(peer);
    }

    private double run(Replicas.Kind kind) throws Exception {
        try (Replicas replicas = kind.start()) {
            replicas.send(commands / 4, inFlight);
            return figure.applyAsDouble(replicas.send(commands, inFlight));
        }
    }
}
