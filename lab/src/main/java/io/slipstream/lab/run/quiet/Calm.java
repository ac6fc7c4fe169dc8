package io.slipstream.lab.run.quiet;

/**
 * How calm the machine was while the rounds of a case ran.
 *
 * @param hiccupP99Micros 99 of 100 naps of an idle thread ended no later than this after their time
 * @param hiccupMaxMicros the worst one
 * @param foreignCpus processors' worth of time that other processes used
 * @param stolenCpus processors' worth of time that the hypervisor gave to someone else
 * @param stallLimitMicros an idle thread that is later than this was kept waiting by others; 0 where it may have had to
 *     wait for the measured threads, which leave no processor free: then time that others used or that was stolen is
 * all there
 *     is to see, and verdicts doubt that
 * @param trace the idle thread's in the course of time
 */
public record Calm(
        double hiccupP99Micros,
        double hiccupMaxMicros,
        double foreignCpus,
        double stolenCpus,
        double stallLimitMicros,
        Trace trace) {
    /** More than this of one processor used elsewhere, and the figures are not ours alone. */
    public static final double DISTURBANCE_CPUS = 0.15;

    /** A stall is at least this long, and at least a tenth of a round: shorter ones hardly show in a median. */
    private static final double SHORTEST_STALL_MICROS = 50_000;

    public static final Calm UNKNOWN = new Calm(0, 0, 0, 0, 0, Trace.NONE);

    /**
     * The limit beyond which the idle thread stood still because of others.
     *
     * @param busy measured threads
     * @param cpus processors that they may use
     * @param roundMicros the length of a round
     * @param collectingMicros how long a collector may have stopped this JVM, the idle thread included
     */
    public static double stallLimitMicros(int busy, int cpus, double roundMicros, double collectingMicros) {
        return busy < cpus ? Math.max(SHORTEST_STALL_MICROS, roundMicros / 10) + collectingMicros : 0;
    }

    public boolean isDisturbed() {
        return othersRan() || stoodStill();
    }

    /** Whether other processes or other guests of the host had more than they should. */
    public boolean othersRan() {
        return foreignCpus + stolenCpus > DISTURBANCE_CPUS;
    }

    /** Whether everything stood still for longer than the figures can bear. */
    public boolean stoodStill() {
        return stallLimitMicros > 0 && hiccupMaxMicros > stallLimitMicros;
    }

    /** Of several runs of a case, the worst counts. */
    public Calm worse(Calm other) {
        boolean mine = stoodStill() == other.stoodStill() ? hiccupMaxMicros >= other.hiccupMaxMicros : stoodStill();
        Calm longest = mine ? this : other;
        return new Calm(
                Math.max(hiccupP99Micros, other.hiccupP99Micros),
                longest.hiccupMaxMicros,
                Math.max(foreignCpus, other.foreignCpus),
                Math.max(stolenCpus, other.stolenCpus),
                longest.stallLimitMicros,
                longest.trace);
    }
}
