package io.slipstream.lab.experiment.jvm;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.time.Duration;

/** C4: calls through an interface of classes that have many others. */
public final class ManyInterfaces implements Experiment {
    private static final String ONE = "one interface";
    private static final String LAST = "the last of nine";
    private static final String BASE = "overridden method";
    private static final Wanted[] FEW = {new Few1(), new Few2(), new Few3(), new Few4()};
    private static final Wanted[] MANY = {new Many1(), new Many2(), new Many3(), new Many4()};
    private static final Crowded[] BASES = {new Many1(), new Many2(), new Many3(), new Many4()};

    /** What the four objects add together. */
    private static final int A_TURN = 1 + 2 + 3 + 4;

    @Override
    public Card card() {
        return Card.of("C4", "Classes with many interfaces", Group.JVM)
                .question("Does a call through an interface take longer when its class implements many others, and is"
                        + " an overridden method of a base class free of that?")
                .reported(
                        "A class with several interfaces",
                        "a linear search, significantly slower",
                        "Sandy Bridge, April 2012",
                        "calls",
                        LAST,
                        "ns/call")
                .reported("Overridden methods", "no search", "Sandy Bridge, April 2012", "calls", BASE, "ns/call")
                .plot(Plot.bars("ns/call"))
                .takes(Duration.ofSeconds(3), Duration.ofMinutes(1))
                .rule("The source tells no factor, so the line is ours: holds when a call through the last of nine"
                        + " interfaces takes at least 1.3 times as long as through the only one, and an overridden"
                        + " method of these classes at most 1.1 times as long as that.")
                .explanation("""
                    Where three or more classes meet at a call site, HotSpot looks the method up at each call. An
                    overridden method of a base class has a fixed place in a table. An interface does not: the stub
                    walks through the list of the object's interfaces until it finds the one that is wanted.

                    Keep the classes of hot call sites small, with one or two interfaces; or make the common type an
                    abstract class.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int calls = plan.count("calls", 100, 4_000_000, 50_000_000);
        plan.add("calls", () -> round -> {
            long start = System.nanoTime();
            long one = few(FEW, calls);
            long afterOne = System.nanoTime();
            long last = many(MANY, calls);
            long afterLast = System.nanoTime();
            long base = bases(BASES, calls);
            long end = System.nanoTime();
            record(round, ONE, calls, afterOne - start, one);
            record(round, LAST, calls, afterLast - afterOne, last);
            record(round, BASE, calls, end - afterLast, base);
        });
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/call", "calls", LAST, "calls", ONE).atLeast(1.3, "The last of nine against one:"),
                () -> found.ratio("ns/call", "calls", BASE, "calls", ONE)
                        .atMost(1.1, "An overridden method against one interface:"));
    }

    private static void record(Round round, String what, int calls, long nanos, long sum) {
        round.record("ns/call", what, (double) nanos / calls);
        round.check("sum", (long) calls / FEW.length * A_TURN, sum);
    }

    private static long few(Wanted[] objects, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = objects[i & 3].add(sum);
        }
        return sum;
    }

    /** The same code, with a call site of its own. */
    private static long many(Wanted[] objects, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = objects[i & 3].add(sum);
        }
        return sum;
    }

    private static long bases(Crowded[] objects, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = objects[i & 3].add(sum);
        }
        return sum;
    }

    private interface Wanted {
        long add(long to);
    }

    private interface I1 {
        long one();
    }

    private interface I2 {
        long two();
    }

    private interface I3 {
        long three();
    }

    private interface I4 {
        long four();
    }

    private interface I5 {
        long five();
    }

    private interface I6 {
        long six();
    }

    private interface I7 {
        long seven();
    }

    private interface I8 {
        long eight();
    }

    /** Its interfaces come before those of the classes that extend it. */
    private abstract static class Crowded implements I1, I2, I3, I4, I5, I6, I7, I8 {
        public abstract long add(long to);

        @Override
        public final long one() {
            return 1;
        }

        @Override
        public final long two() {
            return 2;
        }

        @Override
        public final long three() {
            return 3;
        }

        @Override
        public final long four() {
            return 4;
        }

        @Override
        public final long five() {
            return 5;
        }

        @Override
        public final long six() {
            return 6;
        }

        @Override
        public final long seven() {
            return 7;
        }

        @Override
        public final long eight() {
            return 8;
        }
    }

    private static final class Few1 implements Wanted {
        @Override
        public long add(long to) {
            return to + 1;
        }
    }

    private static final class Few2 implements Wanted {
        @Override
        public long add(long to) {
            return to + 2;
        }
    }

    private static final class Few3 implements Wanted {
        @Override
        public long add(long to) {
            return to + 3;
        }
    }

    private static final class Few4 implements Wanted {
        @Override
        public long add(long to) {
            return to + 4;
        }
    }

    private static final class Many1 extends Crowded implements Wanted {
        @Override
        public long add(long to) {
            return to + 1;
        }
    }

    private static final class Many2 extends Crowded implements Wanted {
        @Override
        public long add(long to) {
            return to + 2;
        }
    }

    private static final class Many3 extends Crowded implements Wanted {
        @Override
        public long add(long to) {
            return to + 3;
        }
    }

    private static final class Many4 extends Crowded implements Wanted {
        @Override
        public long add(long to) {
            return to + 4;
        }
    }
}
