package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import java.lang.foreign.ValueLayout;

/** The broken twin of the frames: it publishes before it writes. */
@JCStressTest
@JCStressMeta(MultiFrames.class)
@State
public class BrokenFrames {
    private final FrameRing ring = FrameRing.forManyPublishers(64, WaitStrategy.yielding());
    private final FramePoller poller = new FramePoller(ring);

    /** Publishes first and writes a moment later. */
    @Actor
    public void publisher() {
        long position = ring.claim(8);
        ring.publish(position);
        Thread.onSpinWait();
        ring.memory().set(ValueLayout.JAVA_INT_UNALIGNED, ring.offset(position) + Frame.HEADER_BYTES, 7);
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
