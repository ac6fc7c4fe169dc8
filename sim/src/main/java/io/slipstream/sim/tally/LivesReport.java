package io.slipstream.sim.tally;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What has happened in some lives. Any thread. */
public final class LivesReport {
    private final Map<String, Long> disasters = new TreeMap<>();
    private final String change;
    private long lives;
    private long changes;
    private long nanos;
    private long offered;
    private long answered;
    private long hash;

    /**
     * Creates the report of no lives.
     *
     * @param change what it is called that another one takes over
     */
    public LivesReport(String change) {
        this.change = change;
    }

    /** Adds a life. */
    public synchronized void add(Life life) {
        lives++;
        changes += life.changes();
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

    /** Returns how often another one has taken over. */
    public synchronized long changes() {
        return changes;
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
                "%,d lives, %,d %s, %,.0f simulated seconds, %,d commands offered, %,d answered%n%s%n"
                        + "hash of all events: %016x",
                lives,
                changes,
                change,
                nanos / 1e9,
                offered,
                answered,
                disasters,
                hash);
    }
}
