package io.slipstream.cli.load;

import java.util.Collection;

/**
 * What has become of a load.
 *
 * @param offered  commands sent
 * @param answered commands applied and answered, the machine's own rejections included
 * @param busy     commands refused because there was too much to do
 * @param failed   commands that failed, or whose outcome is unknown
 * @param trades   trades reported to this side
 */
public record Tally(long offered, long answered, long busy, long failed, long trades) {
    /** Returns what all of the sources have counted. */
    public static Tally of(Collection<? extends Load.Source> sources) {
        return sources.stream().map(Load.Source::tally).reduce(new Tally(0, 0, 0, 0, 0), Tally::plus);
    }

    /** Returns how many commands have no answer yet. */
    public long outstanding() {
        return offered - answered - busy - failed;
    }

    /** Returns the sum. */
    public Tally plus(Tally other) {
        return new Tally(
                offered + other.offered,
                answered + other.answered,
                busy + other.busy,
                failed + other.failed,
                trades + other.trades);
    }

    /** Returns what has been added since {@code former}. */
    public Tally since(Tally former) {
        return new Tally(
                offered - former.offered,
                answered - former.answered,
                busy - former.busy,
                failed - former.failed,
                trades - former.trades);
    }
}
