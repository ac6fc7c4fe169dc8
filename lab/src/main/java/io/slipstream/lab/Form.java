package io.slipstream.lab;

/**
 * How much is run.
 *
 * <p>Every case is run in {@code forks} JVMs of its own, in turn with the other cases (A B A B), so that a slow drift
 * of the machine touches all of them alike. In each JVM rounds are thrown away until {@code warmUpMillis} have passed
 * and at least {@code warmUpRounds} were run (the first compiles a loop while it runs, the next enters it compiled);
 * then {@code rounds} count. A round has a certain amount of work, or, in a benchmark of JMH, takes {@code roundMillis}.
 */
public enum Form {
    /** For tests: runs every line once, measures nothing. */
    TINY(1, 0, 0, 1, 10, 30, 0),
    /** A sound answer in seconds. */
    QUICK(2, 300, 2, 3, 100, 60, 30),
    /** The parameters of the original articles. */
    FULL(3, 5_000, 3, 5, 2_000, 3_600, Integer.MAX_VALUE);

    private final int forks;
    private final int warmUpMillis;
    private final int warmUpRounds;
    private final int rounds;
    private final int roundMillis;
    private final int patienceSeconds;
    private final int repeatSeconds;

    Form(int forks, int warmUpMillis, int warmUpRounds, int rounds, int roundMillis, int patienceSeconds,
            int repeatSeconds) {
        this.forks = forks;
        this.warmUpMillis = warmUpMillis;
        this.warmUpRounds = warmUpRounds;
        this.rounds = rounds;
        this.roundMillis = roundMillis;
        this.patienceSeconds = patienceSeconds;
        this.repeatSeconds = repeatSeconds;
    }

    public int forks() {
        return forks;
    }

    public int warmUpMillis() {
        return warmUpMillis;
    }

    public int warmUpRounds() {
        return warmUpRounds;
    }

    public int rounds() {
        return rounds;
    }

    /** How long a round takes when its amount of work does not matter. */
    public int roundMillis() {
        return roundMillis;
    }

    /**
     * How long repeats of disturbed forks may take in the whole run, so that it ends in time; in a part of the run that
     * part of it, so that something is left for the last ones.
     */
    public int repeatSeconds() {
        return repeatSeconds;
    }

    /** A round that takes longer than this hangs. */
    public int patienceSeconds() {
        return patienceSeconds;
    }
}
