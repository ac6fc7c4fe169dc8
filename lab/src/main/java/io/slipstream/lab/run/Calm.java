package io.slipstream.lab.run;

/**
 * How calm the machine was while the rounds of a case ran.
 *
 * @param hiccupP99Micros 99 of 100 naps of an idle thread ended no later than this after their time
 * @param hiccupMaxMicros the worst one
 * @param foreignCpus processors' worth of time that other processes used
 * @param stolenCpus processors' worth of time that the hypervisor gave to someone else
 */
public record Calm(double hiccupP99Micros, double hiccupMaxMicros, double foreignCpus, double stolenCpus) {
    /** More than this of one processor used elsewhere, and the figures are not ours alone. */
    static final double DISTURBANCE_CPUS = 0.15;

    public static final Calm UNKNOWN = new Calm(0, 0, 0, 0);

    public boolean isDisturbed() {
        return foreignCpus + stolenCpus > DISTURBANCE_CPUS;
    }

    /** Of several runs of a case, the worst counts. */
    Calm worse(Calm other) {
        return new Calm(
                Math.max(hiccupP99Micros, other.hiccupP99Micros),
                Math.max(hiccupMaxMicros, other.hiccupMaxMicros),
                Math.max(foreignCpus, other.foreignCpus),
                Math.max(stolenCpus, other.stolenCpus));
    }
}
