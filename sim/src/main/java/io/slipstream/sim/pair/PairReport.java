package io.slipstream.sim.pair;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What has happened in some lives of two sites. Any thread. */
public final class PairReport {
    private final Map<String, Long> disasters = new TreeMap<>();
    private long lives;
    private long promotions;
    private long nanos;
    private long offered;
    private long answered;
    private long hash;

    /** Creates the report of no lives. */
    public PairReport() {}

    /** Adds a life. */
    public synchronized void add(PairLife life) {
        lives++;
        promotions += life.isPromoted() ? 1 : 0;
        nanos += life.nanos();
        offered += life.offered();
        answered += life.answered();
        // In whichever order lives end that go on at once.
        hash += life.hash();
        life.disasters().forEach((kind, count) -> disasters.merge(kind, count, Long::sum));
    }

    /** Returns how many lives there were. */
    public synchronized long lives() {
        return lives;
    }

    /** Returns in how many of them the backup has taken over. */
    public synchronized long promotions() {
        return promotions;
    }

    /** Returns how many commands were answered. */
    public synchronized long answered() {
        return answered;
    }

    /** Returns how long all lives were. */
    public synchronized long simulatedNanos() {
        return nanos;
    }

    /** Returns how often each kind of disaster has struck, by name. */
    public synchronized Map<String, Long> disasters() {
        return Map.copyOf(disasters);
    }

    /** Returns a hash of all events: the same seeds lead to the same one. */
    public synchronized long hash() {
        return hash;
    }

    @Override
    public synchronized String toString() {
        return String.format(
                Locale.ROOT,
                "%,d lives, %,d promotions, %,.0f simulated seconds, %,d commands offered, %,d answered%n%s%n"
                        + "hash of all events: %016x",
                lives,
                promotions,
                nanos / 1e9,
                offered,
                answered,
                disasters,
                hash);
    }
}
