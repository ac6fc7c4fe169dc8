package io.slipstream.sim.service;

import java.util.List;

/** A service has broken a promise in a simulated world; the message says which, and how to see it again. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    private final long seed;
    private final String finding;
    private final transient List<Disaster> disasters;

    SimulationFailure(long seed, String finding, List<Disaster> disasters) {
        super("seed " + seed + ": " + finding + text(disasters));
        this.seed = seed;
        this.finding = finding;
        this.disasters = List.copyOf(disasters);
    }

    SimulationFailure(long seed, String finding, List<Disaster> disasters, Throwable cause) {
        this(seed, finding, disasters);
        initCause(cause);
    }

    /** Returns the seed of the world. */
    public long seed() {
        return seed;
    }

    /** Returns what was found, without the seed. */
    public String finding() {
        return finding;
    }

    /** Returns what had to go wrong for it, in order of time. */
    public List<Disaster> disasters() {
        return disasters;
    }

    private static String text(List<Disaster> disasters) {
        if (disasters.isEmpty()) {
            return "\n  nothing had to go wrong for that";
        }
        StringBuilder text = new StringBuilder("\n  what had to go wrong for that:");
        disasters.forEach(disaster -> text.append("\n    ").append(disaster));
        return text.toString();
    }
}
