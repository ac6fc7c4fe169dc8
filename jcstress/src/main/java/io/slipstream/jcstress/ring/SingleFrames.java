package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

/** A frame is seen whole or not at all. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing was published yet")
@Outcome(id = "16, 7", expect = ACCEPTABLE, desc = "published, and whole")
@Outcome(expect = FORBIDDEN, desc = "published before it was written")
@State
public class SingleFrames {
    private final FrameRing ring = FrameRing.forOnePublisher(64, WaitStrategy.yielding());
    private final FramePoller poller = new FramePoller(ring);

    /** Publishes. */
    @Actor
    public void publisher() {
        long position = ring.claim(8);
        ring.memory().set(ValueLayout.JAVA_INT_UNALIGNED, ring.offset(position) + Frame.HEADER_BYTES, 7);
        ring.publish(position);
    }

    /** Reads what is published. */
    @Actor
    public void consumer(II_Result result) {
        poller.poll((memory, offset, length, endOfBatch) -> {
            result.r1 = length;
            result.r2 = memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset + Frame.HEADER_BYTES);
        }, 1);
    }

    /** Gives the memory back. */
    @Arbiter
    public void free(II_Result result) {
        ring.close();
    }
}
