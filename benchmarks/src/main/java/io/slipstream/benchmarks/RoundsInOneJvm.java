package io.slipstream.benchmarks;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Plan;
import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.Callable;

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

    private RoundsInOneJvm() {}

    /** Arguments: the suite, the number of the comparison in it, and whether to be quick. */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        boolean quick = Boolean.parseBoolean(args[2]);
        Comparison comparison = Suites.named(args[0]).comparisons(quick).get(Integer.parseInt(args[1]));
        Plan plan = comparison.plan();
        try (Contest contest = comparison.preparation().prepare()) {
            for (int round = 1 - plan.warmups(); round <= plan.rounds(); round++) {
                double trip = CpuRoundTrip.medianNanos();
                Pair pair = pair(contest, isOursFirst(round));
                if (round > 0) {
                    out.println(TRIP + trip);
                    out.println(OURS + pair.ours);
                    out.println(PEER + pair.peer);
                }
            }
        }
    }

    private record Pair(double ours, double peer) {}

    /** Who runs second finds the processors warm and the heap as the other one has left it, so they begin by turns. */
    static boolean isOursFirst(int round) {
        return round % 2 == 0;
    }

    private static Pair pair(Contest contest, boolean isOursFirst) throws Exception {
        if (isOursFirst) {
            double ours = afterCollection(contest::ours);
            return new Pair(ours, afterCollection(contest::peer));
        }
        double peer = afterCollection(contest::peer);
        return new Pair(afterCollection(contest::ours), peer);
    }

    private static double afterCollection(Callable<Double> competitor) throws Exception {
        System.gc();
        return competitor.call();
    }
}
