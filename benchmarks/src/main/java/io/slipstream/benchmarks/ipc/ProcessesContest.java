package io.slipstream.benchmarks.ipc;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.util.List;

/** The same parts in processes of two systems. */
final class ProcessesContest implements Contest {
    /** What of a round counts. */
    enum Figure {
        MILLIONS_PER_SECOND,
        GIGABYTES_PER_SECOND,
        MEDIAN,
        P999
    }

    private final Figure figure;
    private final int bytes;
    private final long count;
    private final Parts ours;
    private final Parts peer;

    ProcessesContest(String ours, String peer, List<String> roles, int bytes, long count, Figure figure)
            throws IOException {
        this.figure = figure;
        this.bytes = bytes;
        this.count = count;
        this.ours = new Parts(ours, roles, bytes);
        this.peer = new Parts(peer, roles, bytes);
    }

    @Override
    public double ours() throws IOException {
        return figure(ours.run(count));
    }

    @Override
    public double peer() throws IOException {
        return figure(peer.run(count));
    }

    private double figure(Parts.Round round) {
        return switch (figure) {
            case MILLIONS_PER_SECOND -> count * 1e3 / round.nanos();
            case GIGABYTES_PER_SECOND -> (double) count * bytes / round.nanos();
            case MEDIAN -> Double.parseDouble(round.said().split(" ")[1]);
            case P999 -> Double.parseDouble(round.said().split(" ")[2]);
        };
    }

    @Override
    public void close() throws IOException {
        ours.close();
        peer.close();
    }
}
