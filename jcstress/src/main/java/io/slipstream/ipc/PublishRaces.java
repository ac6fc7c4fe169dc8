package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.frame.ManyFrames;
import io.slipstream.ipc.frame.Stamp;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A publisher of a channel with many writes a message and publishes it; a subscriber reads what is published. */
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "not published yet")
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "published, with all that was written")
@Outcome(expect = Expect.FORBIDDEN, desc = "published before it was written")
public final class PublishRaces {
    private static final Layout LAYOUT = Layout.of(4096, true, 4, false, 0, 0);
    private static final int BYTES = 32;
    private static final int OWNER = 1;
    private static final long WRITTEN = 7;

    private PublishRaces() {}

    private static long claim(ManyFrames ring) {
        long position;
        do {
            position = ring.attempt(BYTES, OWNER, Layout.slot(OWNER) + Layout.POSITION_AT, _ -> true);
        } while (position == ManyFrames.AGAIN);
        return position;
    }

    private static long payloadAt(ManyFrames ring, long position) {
        return ring.offset(position) + Frame.HEADER_BYTES;
    }

    private static int read(Region region, ManyFrames ring, long position) {
        long stamp = ring.stamp(position);
        return Stamp.isOf(stamp, ring.lap(position)) && Stamp.phase(stamp) == Stamp.PUBLISHED
                ? (int) region.getLong(payloadAt(ring, position))
                : -1;
    }

    /** As it is: the stamp is stored behind the message. */
    @JCStressTest
    @JCStressMeta(PublishRaces.class)
    @State
    public static class Publish {
        private final Region region = Region.allocate(LAYOUT.fileBytes());
        private final ManyFrames ring = new ManyFrames(region, LAYOUT);
        private final ManyFrames reader = new ManyFrames(region, LAYOUT);
        private final long position = claim(ring);

        /** Writes and publishes. */
        @Actor
        public void publisher() {
            region.putLong(payloadAt(ring, position), WRITTEN);
            ring.publish(position, BYTES, OWNER);
        }

        /** Reads. */
        @Actor
        public void subscriber(I_Result result) {
            result.r1 = read(region, reader, position);
        }

        /** Gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            region.close();
        }
    }

    /** Broken twin: publishes first. Must be found out. */
    @JCStressTest
    @JCStressMeta(PublishRaces.class)
    @State
    public static class BrokenPublish {
        private final Region region = Region.allocate(LAYOUT.fileBytes());
        private final ManyFrames ring = new ManyFrames(region, LAYOUT);
        private final ManyFrames reader = new ManyFrames(region, LAYOUT);
        private final long position = claim(ring);

        /** Publishes and writes. */
        @Actor
        public void publisher() {
            ring.publish(position, BYTES, OWNER);
            region.putLong(payloadAt(ring, position), WRITTEN);
        }

        /** Reads. */
        @Actor
        public void subscriber(I_Result result) {
            result.r1 = read(region, reader, position);
        }

        /** Gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            region.close();
        }
    }
}
