package io.slipstream.sim.service;

import io.slipstream.service.host.FaultPoint;
import io.slipstream.sim.world.Hash;
import io.slipstream.sim.world.Schedule;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What has happened in some lives, so that one without any disaster cannot pass for a test. For any threads. */
public final class SimulationReport {
    private static final Set<Disaster.Kind> DEATHS = EnumSet.of(
            Disaster.Kind.KILL, Disaster.Kind.KILL_IN_WRITE, Disaster.Kind.POWER_CUT, Disaster.Kind.POWER_CUT_IN_WRITE);

    /** One command in so many is answered at least. */
    private static final int LEAST_ANSWERED = 100;

    private final Map<Disaster.Kind, Long> disasters = new EnumMap<>(Disaster.Kind.class);
    private final Map<FaultPoint, Long> faultPoints = new EnumMap<>(FaultPoint.class);
    private final Map<String, Long> sometimes = new TreeMap<>();
    private long lives;
    private long nanos;
    private long offered;
    private long replied;
    private long refused;
    private long failed;
    private long snapshots;
    private long hash;

    /** Creates a report of nothing. */
    public SimulationReport() {}

    synchronized void add(long seed, World<?> lived) {
        Schedule world = lived.schedule();
        History history = lived.history();
        lives++;
        nanos += world.nanos();
        offered += history.offered();
        replied += history.replied();
        refused += history.refused();
        failed += history.failed();
        snapshots += lived.snapshots();
        hash += Hash.mix(seed ^ Hash.mix(world.trace().hash()));
        lived.sometimes().forEach((what, has) -> sometimes.merge(what, has ? 1L : 0L, Long::sum));
        lived.faultPoints().forEach((point, count) -> faultPoints.merge(point, count, Long::sum));
        world.trace().faults().forEach((kind, count) -> disasters.merge(Disaster.Kind.valueOf(kind), count, Long::sum));
    }

    /** Returns how many lives there were. */
    public synchronized long lives() {
        return lives;
    }

    /** Returns how much time has passed in them, in nanoseconds. */
    public synchronized long simulatedNanos() {
        return nanos;
    }

    /** Returns how many commands were offered. */
    public synchronized long offered() {
        return offered;
    }

    /** Returns how many of them were applied and answered. */
    public synchronized long replied() {
        return replied;
    }

    /** Returns how many of them were refused as busy. */
    public synchronized long refused() {
        return refused;
    }

    /** Returns how many of them the machine rejected, or failed at. */
    public synchronized long failed() {
        return failed;
    }

    /** Returns how many snapshots of the state have become durable. */
    public synchronized long snapshots() {
        return snapshots;
    }

    /** Returns a hash of all that has happened; equal for the same seeds, in any order, on every machine. */
    public synchronized long hash() {
        return hash;
    }

    /** Returns how often each kind of disaster has struck: a snapshot that was taken, a kill when the process died. */
    public synchronized Map<Disaster.Kind, Long> disasters() {
        return Map.copyOf(disasters);
    }

    /** Returns how often the code of the service was made to behave as it rarely does, at each of its points. */
    public synchronized Map<FaultPoint, Long> faultPoints() {
        return Map.copyOf(faultPoints);
    }

    /** Returns what has never gone wrong. */
    public synchronized Set<Disaster.Kind> neverStruck() {
        Set<Disaster.Kind> never = EnumSet.allOf(Disaster.Kind.class);
        never.removeAll(disasters.keySet());
        return never;
    }

    /**
     * Returns in how many lives each thing has happened that should happen sometimes: those that the simulation knows,
     * and those of {@link Simulation#sometimes}.
     */
    public synchronized Map<String, Long> sometimes() {
        return Map.copyOf(sometimes);
    }

    /** Returns which of them have never happened. */
    public synchronized Set<String> neverHeld() {
        Set<String> never = new TreeSet<>(sometimes.keySet());
        never.removeIf(what -> sometimes.getOrDefault(what, 0L) > 0);
        return never;
    }

    /** Returns how often the service was killed, or lost its power. */
    public synchronized long deaths() {
        return disasters.entrySet().stream()
                .filter(each -> DEATHS.contains(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * Requires that these lives prove something.
     *
     * @param isAny whether anything may have gone wrong, so that there must have been deaths and snapshots
     * @throws AssertionError if hardly anybody was answered, or if the service was never killed or has no snapshot
     */
    public synchronized void requireProof(boolean isAny) {
        if (replied * LEAST_ANSWERED < offered || replied == 0) {
            throw new AssertionError((replied == 0 ? "no command was" : "only " + replied + " of " + offered + " were")
                    + " answered in " + lives + " lives, so they prove nothing: look at what the commands are, and at"
                    + " the trace of one of them; " + refused + " were refused as busy, and the machine rejected "
                    + failed + ", or failed at them");
        }
        if (isAny && deaths() == 0) {
            throw new AssertionError("the service was never killed in " + lives + " lives, so they prove little: live "
                    + "more of them, or say with disasters(...) what is to go wrong");
        }
        if (isAny && snapshots == 0) {
            throw new AssertionError("no snapshot was taken in " + lives + " lives, so they prove little: live more of"
                    + " them, offer more commands in each, or say with disasters(...) what is to go wrong");
        }
    }

    @Override
    public synchronized String toString() {
        return String.format(
                Locale.ROOT,
                "%,d lives, %,.1f hours of simulated time, %,d commands offered, "
                        + "%,d answered, %,d refused as busy, %,d rejected or failed, %,d snapshots%n"
                        + "disasters: %s%nrare ways of the code: %s%nnever: %s%n"
                        + "sometimes: %s%nnever held: %s%nhash of all events: %016x",
                lives,
                nanos / 3.6e12,
                offered,
                replied,
                refused,
                failed,
                snapshots,
                disasters,
                faultPoints,
                neverStruck(),
                sometimes,
                neverHeld(),
                hash);
    }
}
