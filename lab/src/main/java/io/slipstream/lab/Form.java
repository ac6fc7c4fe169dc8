package io.slipstream.lab;

/**
 * How much is run.
 *
 * <p>Every case is run in {@code forks} JVMs of its own, in turn with the other cases (A B A B), so that a slow drift
 * of the machine touches all of them alike. In each JVM rounds are thrown away until {@code warmUpMillis} have passed
 * (or what {@linkplain Case#warmUp the case} asks for) and at least {@code warmUpRounds} were run (the first compiles a
 * loop while it runs, the next enters it compiled); then {@code rounds} count. A round has a certain amount of work,
 * done once or as often as it takes for {@code leastRoundMillis} to pass; a benchmark of JMH takes {@code roundMillis}
 * for it.
 */
public enum Form {
    /** For tests: runs every line once, measures nothing. */
    TINY(1, 0, 0, 1, 0, 10, 30, 0),
    /** A sound answer in seconds. */
    QUICK(2, 300, 2, 3, 50, 100, 60, 20),
    /** The parameters of the original articles. */
    FULL(3, 5_000, 3, 5, 500, 2_000, 3_600, Integer.MAX_VALUE);

    private final int forks;
    private final int warmUpMillis;
    private final int warmUpRounds;
    private final int rounds;
    private final int leastRoundMillis;
    private final int roundMillis;
    private final int patienceSeconds;
    private final int repeatSeconds;

    Form(
            int forks,
            int warmUpMillis,
            int warmUpRounds,
            int rounds,
            int leastRoundMillis,
            int roundMillis,
            int patienceSeconds,
            int repeatSeconds) {
        this.forks = forks;
        this.warmUpMillis = warmUpMillis;
        this.warmUpRounds = warmUpRounds;
        this.rounds = rounds;
        this.leastRoundMillis = leastRoundMillis;
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

    /**
     * A round whose work is done sooner does it again, so that what happens between rounds weighs little in its
     * figures.
     */
    public int leastRoundMillis() {
        return leastRoundMillis;
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
