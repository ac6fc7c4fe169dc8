package io.slipstream.benchmarks.ring;

import io.slipstream.benchmarks.suite.Contest;

/** One percentile of the times of {@link PingPong}, in nanoseconds. */
final class PingPongContest implements Contest {
    static final int MEDIAN = 0;
    static final int P999 = 1;

    private final PingPong game;
    private final boolean frames;
    private final int percentile;

    PingPongContest(int roundTrips, boolean frames, int percentile) {
        this.game = new PingPong(roundTrips);
        this.frames = frames;
        this.percentile = percentile;
    }

    @Override
    public double ours() throws Exception {
        return (frames ? game.ourFrames() : game.ours())[percentile];
    }

    @Override
    public double peer() throws Exception {
        return game.disruptor()[percentile];
    }
}
