package io.slipstream.service.logic;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * The logic offers the hashes behind two entries, the gateway's thread looks twice: what it takes are the sequence and
 * the hash of one and the same entry, each once, in order. A figure is the sequence, and then the hash.
 */
@JCStressTest
@Outcome(
        id = {"0, 0", "0, 11", "11, 0", "11, 22"},
        expect = ACCEPTABLE,
        desc = "whole, in order, once")
@Outcome(expect = FORBIDDEN, desc = "a hash with the sequence of another entry, or one taken twice")
@State
public class CheckHandovers {
    private final CheckHandover handover = new CheckHandover();

    /** Offers both; the second one finds no place if the first was not taken. */
    @Actor
    public void logic() {
        handover.offer(1, 1);
        handover.offer(2, 2);
    }

    /** Takes what there is, twice. */
    @Actor
    public void gateway(JJ_Result result) {
        result.r1 = take();
        result.r2 = take();
    }

    private long take() {
        if (!handover.isOffered()) {
            return 0;
        }
        long taken = 10 * handover.sequence() + handover.hash();
        handover.taken();
        return taken;
    }
}
