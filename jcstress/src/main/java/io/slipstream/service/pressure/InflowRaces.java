package io.slipstream.service.pressure;

import io.slipstream.core.sequence.Sequence;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Never do fewer messages wait than none, whichever gateway looks while another one accepts and the logic is done. */
public final class InflowRaces {
    private InflowRaces() {}

    /** One gateway accepts a message, which is then done; another one looks. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "none waits")
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "it waits")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it was done before it was counted")
    @State
    public static class Pending {
        private final Sequence processed = new Sequence();
        private final List<Inflow> gateways = Inflow.of(2, processed);

        /** A gateway, and the logic behind it. */
        @Actor
        public void accepts() {
            gateways.getFirst().accept(5);
            processed.setRelease(1);
        }

        /** Another gateway. */
        @Actor
        public void looks(I_Result result) {
            result.r1 = (int) gateways.getLast().pending();
        }
    }

    /** How long it takes follows the same rule. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "nothing waits")
    @Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "it waits")
    @Outcome(expect = Expect.FORBIDDEN, desc = "what waits takes less than nothing, or more than it")
    @State
    public static class Nanos {
        private final Sequence processed = new Sequence();
        private final List<Inflow> gateways = Inflow.of(2, processed);

        /** A gateway, and the logic behind it. */
        @Actor
        public void accepts() {
            gateways.getFirst().accept(5);
            processed.setRelease(1);
            gateways.getFirst().look();
        }

        /** Another gateway. */
        @Actor
        public void looks(I_Result result) {
            result.r1 = (int) gateways.getLast().nanos();
        }
    }

    /** Broken twin: counts what was accepted before it looks at what is done. Must be found out. */
    @JCStressTest
    @JCStressMeta(Pending.class)
    @State
    public static class BrokenOrder {
        private final Sequence processed = new Sequence();
        private final List<Inflow> gateways = Inflow.of(2, processed);

        /** A gateway, and the logic behind it. */
        @Actor
        public void accepts() {
            gateways.getFirst().accept(5);
            processed.setRelease(1);
        }

        /** Another gateway. */
        @Actor
        public void looks(I_Result result) {
            long accepted = gateways.getLast().total();
            result.r1 = (int) (accepted - processed.getAcquire());
        }
    }
}
