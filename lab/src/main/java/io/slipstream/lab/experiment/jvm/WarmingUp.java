package io.slipstream.lab.experiment.jvm;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.IntToLongFunction;

/** C5: the same code after one long warm-up and after ten short ones. */
public final class WarmingUp implements Experiment {
    private static final String LONG = "one long warm-up";
    private static final String SHORT = "ten short ones";
    private static final int TIMES = 10;

    @Override
    public Card card() {
        return Card.of("C5", "One long warm-up or ten short ones", Group.JVM)
                .question("Is code faster after ten short warm-ups than after one as long as all of them, which"
                        + " replaces the code while its loop runs (on-stack replacement)?")
                .reported(
                        "Ten short warm-ups",
                        "likely better code (for locks it made no difference)",
                        "HotSpot, November 2011",
                        SHORT,
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(5), Duration.ofSeconds(90))
                .rule("The source tells no factor, so the line is ours: holds when the run after one long warm-up takes"
                        + " at least 1.1 times as long as after ten short ones.")
                .explanation("""
                    A loop that runs long enough is compiled while it runs, and entered in its middle. The compiler
                    then knows less of what went before, and nested loops suffered most from it. Code that is called
                    again is entered at its beginning.

                    Each round loads the class anew, warms it up and times one run, so each begins without a
                    profile. Warm up with many calls of what a service does, not with one long loop.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int rows = plan.count("rows of 64 numbers", 100, 50_000, 5_000_000);
        plan.add(LONG, () -> warmed(1, rows * TIMES, rows));
        plan.add(SHORT, () -> warmed(TIMES, rows, rows));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("ns/op", LONG, SHORT).atLeast(1.1, "One long warm-up against ten short ones:");
    }

    private static Workload warmed(int times, int warmUpRows, int rows) throws IOException {
        byte[] code = code();
        return round -> {
            IntToLongFunction sums = new Again(code).load();
            long expected = 0;
            for (int i = 0; i < times; i++) {
                expected += sums.applyAsLong(warmUpRows);
            }
            long start = System.nanoTime();
            long sum = sums.applyAsLong(rows);
            round.nanosPerOp(System.nanoTime() - start, (long) rows * Sums.COLUMNS);
            round.check("sum of the warm-up", sum * TIMES, expected);
        };
    }

    private static byte[] code() throws IOException {
        try (InputStream in = WarmingUp.class.getResourceAsStream("WarmingUp$Sums.class")) {
            if (in == null) {
                throw new IOException("the class to be warmed up cannot be read");
            }
            return in.readAllBytes();
        }
    }

    /** Defines the class once more, with nothing compiled. */
    private static final class Again extends ClassLoader {
        private final byte[] code;

        Again(byte[] code) {
            super(WarmingUp.class.getClassLoader());
            this.code = code;
        }

        IntToLongFunction load() throws ReflectiveOperationException {
            Class<?> type = defineClass(Sums.class.getName(), code, 0, code.length);
            return (IntToLongFunction) type.getConstructor().newInstance();
        }
    }

    /** A nested loop with checks of bounds. Public, because it is made by another loader's class. */
    public static final class Sums implements IntToLongFunction {
        static final int COLUMNS = 64;
        private static final int ROWS = 32;

        private final int[][] numbers = new int[ROWS][COLUMNS];

        public Sums() {
            for (int i = 0; i < ROWS * COLUMNS; i++) {
                numbers[i / COLUMNS][i % COLUMNS] = i % COLUMNS;
            }
        }

        /** The sum over so many rows, which repeat. */
        @Override
        public long applyAsLong(int rows) {
            long sum = 0;
            for (int row = 0; row < rows; row++) {
                int[] line = numbers[row % ROWS];
                for (int column = 0; column < COLUMNS; column++) {
                    sum += line[column];
                }
            }
            return sum;
        }
    }
}
