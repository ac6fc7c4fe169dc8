package io.slipstream.log;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Threads whose names are told. They stand in this package because the table does. */
public final class ThreadRaces {
    private static final Thread ONE = new Thread(() -> {}, "one");

    private ThreadRaces() {}

    /** A name is known wholly or not at all, though it is published by a race. */
    @JCStressTest
    @Outcome(
            id = {"0", "1"},
            expect = Expect.ACCEPTABLE,
            desc = "told already, or to be told again")
    @Outcome(expect = Expect.FORBIDDEN, desc = "half a name")
    @State
    public static class Told {
        private final ThreadTable table = new ThreadTable();

        /** Tells. */
        @Actor
        public void tell() {
            table.put(ONE, "one");
        }

        /** Asks. */
        @Actor
        public void ask(I_Result result) {
            try {
                result.r1 = table.isUnknown(ONE) ? 1 : 0;
            } catch (RuntimeException e) {
                result.r1 = -1;
            }
        }
    }

    /** Broken twin: number and name by themselves, the number first. Must be found out. */
    @JCStressTest
    @JCStressMeta(Told.class)
    @State
    public static class BrokenTold {
        private volatile long id;
        private volatile String name = "";

        /** Tells. */
        @Actor
        public void tell() {
            id = 1;
            Thread.onSpinWait();
            name = "one";
        }

        /** Asks. */
        @Actor
        public void ask(I_Result result) {
            boolean isKnown = id == 1;
            result.r1 = isKnown && name.isEmpty() ? -1 : isKnown ? 0 : 1;
        }
    }
}
