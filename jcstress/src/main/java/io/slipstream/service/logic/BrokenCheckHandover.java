package io.slipstream.service.logic;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.slipstream.core.sequence.Sequence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The twin of {@link CheckHandovers} that replaces what was not taken yet. */
@JCStressTest
@Outcome(
        id = {"0, 0", "0, 11", "11, 0", "11, 22", "0, 22", "22, 0"},
        expect = ACCEPTABLE,
        desc = "whole, in order, once")
@Outcome(expect = FORBIDDEN, desc = "a hash with the sequence of another entry, or one taken twice")
@State
public class BrokenCheckHandover {
    private final Sequence offered = new Sequence(0);
    private final Sequence taken = new Sequence(0);
    private long sequence;
    private long hash;

    /** Offers both, whether or not the first was taken. */
    @Actor
    public void logic() {
        offer(1);
        offer(2);
    }

    /** Takes what there is, twice. */
    @Actor
    public void gateway(JJ_Result result) {
        result.r1 = take();
        result.r2 = take();
    }

    private void offer(long of) {
        sequence = of;
        hash = of;
        offered.setRelease(offered.getPlain() + 1);
    }

    private long take() {
        if (offered.getAcquire() == taken.getPlain()) {
            return 0;
        }
        long both = 10 * sequence + hash;
        taken.setRelease(offered.getAcquire());
        return both;
    }
}
