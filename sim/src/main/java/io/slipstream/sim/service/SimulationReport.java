package io.slipstream.sim.service;

import io.slipstream.service.host.FaultPoint;
import io.slipstream.sim.world.Schedule;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What has happened in some lives, so that one without any disaster cannot pass for a test. For any threads. */
public final class SimulationReport {
    private static final Set<Disaster.Kind> DEATHS = EnumSet.of(
            Disaster.Kind.KILL, Disaster.Kind.KILL_IN_WRITE, Disaster.Kind.POWER_CUT, Disaster.Kind.POWER_CUT_IN_WRITE);

    private final Map<Disaster.Kind, Long> disasters = new EnumMap<>(Disaster.Kind.class);
    private final Map<FaultPoint, Long> faultPoints = new EnumMap<>(FaultPoint.class);
    private long lives;
    private long nanos;
    private long offered;
    private long replied;
    private long refused;
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
        hash += Hash.mix(seed ^ Hash.mix(world.trace().hash()));
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

    /** Returns a hash of all that has happened; equal for the same seeds, in any order, on every machine. */
    public synchronized long hash() {
        return hash;
    }

    /** Returns how often each kind of disaster has struck. */
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

    /** Returns how often the service was killed, or lost its power. */
    public synchronized long deaths() {
        return disasters.entrySet().stream()
                .filter(each -> DEATHS.contains(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    void requireProof(boolean withDeaths) {
        if (replied == 0) {
            throw new AssertionError("no command was answered in " + lives + " lives, so they prove nothing: look at "
                    + "what the commands are, and at the trace of one of them");
        }
        if (withDeaths && deaths() == 0) {
            throw new AssertionError("the service was never killed in " + lives + " lives, so they prove little: live "
                    + "more of them, or say with disasters(...) what is to go wrong");
        }
    }

    @Override
    public synchronized String toString() {
        return String.format(
                Locale.ROOT,
                "%,d lives, %,.1f hours of simulated time, %,d commands offered, "
                        + "%,d answered, %,d refused%n"
                        + "disasters: %s%nrare ways of the code: %s%nnever: %s%nhash of all events: %016x",
                lives,
                nanos / 3.6e12,
                offered,
                replied,
                refused,
                disasters,
                faultPoints,
                neverStruck(),
                hash);
    }
}
