package io.slipstream.benchmarks.ring;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** An exclusive publication of Aeron over IPC with {@code tryClaim}, in the same process, with an embedded driver. */
final class AeronIpc implements FramePeer {
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM = 7;
    private static final int FRAGMENTS = 256;

    private final MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnStart(true).dirDeleteOnShutdown(true));
    private final Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));

    @Override
    public Round run(int publishers, long each) {
        try (Subscription subscription = aeron.addSubscription(CHANNEL, STREAM);
             ExclusivePublication publication = aeron.addExclusivePublication(CHANNEL, STREAM)) {
            for (long idle = 0; !publication.isConnected(); ) {
                idle = Pauses.after(0, idle);
            }
            Adder adder = new Adder();
            long begin = System.nanoTime();
            Thread.ofPlatform().daemon().start(() -> publish(publication, each));
            for (long left = each, idle = 0; left > 0; ) {
                int read = subscription.poll(adder, FRAGMENTS);
                left -= read;
                idle = Pauses.after(read, idle);
            }
            return new Round(adder.sum, System.nanoTime() - begin);
        }
    }

    private static void publish(ExclusivePublication publication, long count) {
        BufferClaim claim = new BufferClaim();
        for (long i = 0; i < count; i++) {
            for (long idle = 0; publication.tryClaim(FrameContest.MESSAGE_BYTES, claim) < 0; ) {
                idle = Pauses.after(0, idle);
            }
            MutableDirectBuffer memory = claim.buffer();
            int at = claim.offset();
            for (int k = 0; k < FrameContest.MESSAGE_BYTES; k += Long.BYTES) {
                memory.putLong(at + k, i);
            }
            claim.commit();
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(aeron, driver);
    }

    private static final class Adder implements FragmentHandler {
        private long sum;

        @Override
        public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
            sum += buffer.getLong(offset) + buffer.getLong(offset + FrameContest.MESSAGE_BYTES - Long.BYTES);
        }
    }
}
