package io.slipstream.benchmarks;

import java.io.PrintStream;
import java.util.Set;

/**
 * The main class of a JVM that runs one comparison, and prints lines for each round that counts: {@code @trip NANOS},
 * {@code @ours FIGURE} and {@code @peer FIGURE}. Other lines are for the reader.
 */
final class RoundsInOneJvm {
    static final String TRIP = "@trip ";
    static final String OURS = "@ours ";
    static final String PEER = "@peer ";
    static final Set<String> MARKS = Set.of(TRIP, OURS, PEER);
    static final int MARK_LENGTH = TRIP.length();

    private RoundsInOneJvm() {
    }

    /** Arguments: the suite, the number of the comparison in it, and whether to be quick. */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        boolean quick = Boolean.parseBoolean(args[2]);
        Comparison comparison = Suites.named(args[0]).comparisons(quick).get(Integer.parseInt(args[1]));
        Plan plan = comparison.plan();
        try (Contest contest = comparison.preparation().prepare()) {
            for (int round = 1 - plan.warmups(); round <= plan.rounds(); round++) {
                double trip = CpuRoundTrip.medianNanos();
                System.gc();
                double ours = contest.ours();
                System.gc();
                double peer = contest.peer();
                if (round > 0) {
                    out.println(TRIP + trip);
                    out.println(OURS + ours);
                    out.println(PEER + peer);
                }
            }
        }
    }
}
