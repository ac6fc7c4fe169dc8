package io.slipstream.jcstress.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** The broken twin of the publications: the event and the cursor are written without order, and in the wrong one. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing was published yet")
@Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "published, and whole")
@Outcome(expect = FORBIDDEN, desc = "published before it was written")
@State
public class BrokenPublication {
    private int event;
    private int cursor;

    /** Publishes first and writes then, as a compiler or processor is free to do. */
    @Actor
    public void publisher() {
        cursor = 1;
        event = 7;
    }

    /** Reads what is published. */
    @Actor
    public void consumer(II_Result result) {
        if (cursor == 1) {
            result.r1 = 1;
            result.r2 = event;
        }
    }
}
