package io.slipstream.benchmarks.exchange;

import io.slipstream.benchmarks.suite.Contest;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Our book against a peer's: the same commands, and in every round the same trades and the same book in the end. The
 * first round sets what all later ones, of both, must come to.
 */
final class BookContest implements Contest {
    private record Outcome(long trades, long tradeHash, List<Competitor.Level> depth) {
        static Outcome of(Competitor competitor) {
            return new Outcome(competitor.trades().count(), competitor.trades().value(), competitor.depth());
        }
    }

    private final Commands commands;
    private final Supplier<Competitor> ours;
    private final Supplier<Competitor> peer;
    private @Nullable Outcome expected;

    BookContest(Commands commands, Supplier<Competitor> ours, Supplier<Competitor> peer) {
        this.commands = commands;
        this.ours = ours;
        this.peer = peer;
    }

    @Override
    public double ours() {
        return run("ours", ours.get());
    }

    @Override
    public double peer() {
        return run("the peer", peer.get());
    }

    /** Returns millions of commands a second. */
    private double run(String who, Competitor competitor) {
        long begin = System.nanoTime();
        competitor.run(commands);
        long nanos = System.nanoTime() - begin;
        Outcome outcome = Outcome.of(competitor);
        if (expected == null) {
            expected = outcome;
        } else if (outcome.trades() != expected.trades() || outcome.tradeHash() != expected.tradeHash()) {
            throw new IllegalStateException(who + " made other trades than the first round: " + outcome.trades()
                    + ", and there were " + expected.trades());
        } else if (!outcome.depth().equals(expected.depth())) {
            throw new IllegalStateException(who + " ended with another book than the first round");
        }
        return commands.size() * 1_000.0 / nanos;
    }
}
