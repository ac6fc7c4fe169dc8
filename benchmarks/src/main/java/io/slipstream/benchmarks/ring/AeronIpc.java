package io.slipstream.benchmarks.ring;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An exclusive publication of Aeron over IPC, in the same process, with an embedded driver: with {@code tryClaim}, or
 * with {@code offerBlock} of several frames that are formatted beforehand, as Aeron's archive replays them.
 */
final class AeronIpc implements FramePeer {
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM = 7;
    private static final int FRAGMENTS = 256;
    private static final int HEADER_BYTES = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int FRAME_BYTES =
            BitUtil.align(HEADER_BYTES + FrameContest.MESSAGE_BYTES, FrameDescriptor.FRAME_ALIGNMENT);

    private final MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
    private final Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
    private final int block;

    AeronIpc() {
        this(1);
    }

    /** Has so many frames in a block; one alone is claimed. */
    AeronIpc(int block) {
        this.block = block;
    }

    @Override
    public Round run(int publishers, long each) {
        try (Subscription subscription = aeron.addSubscription(CHANNEL, STREAM);
                ExclusivePublication publication = aeron.addExclusivePublication(CHANNEL, STREAM)) {
            for (long idle = 0; !publication.isConnected(); ) {
                idle = Pauses.after(0, idle);
            }
            Adder adder = new Adder();
            long begin = System.nanoTime();
            Thread.ofPlatform().daemon().start(() -> Runs.publish(each, publisher(publication)));
            for (long left = each, idle = 0; left > 0; ) {
                int read = subscription.poll(adder, FRAGMENTS);
                left -= read;
                idle = Pauses.after(read, idle);
            }
            return new Round(adder.sum, System.nanoTime() - begin);
        }
    }

    private Runs.Publisher publisher(ExclusivePublication publication) {
        if (block == 1) {
            BufferClaim claim = new BufferClaim();
            return (from, to) -> publish(publication, claim, from, to);
        }
        UnsafeBuffer frames = format(publication);
        return (from, to) -> publishBlocks(publication, frames, from, to);
    }

    private static void publish(ExclusivePublication publication, BufferClaim claim, long from, long to) {
        for (long i = from; i < to; i++) {
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

    /** Returns a block of frames of this publication without their messages and places. */
    private UnsafeBuffer format(ExclusivePublication publication) {
        UnsafeBuffer memory =
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(block * FRAME_BYTES, BitUtil.CACHE_LINE_LENGTH));
        DirectBuffer header =
                DataHeaderFlyweight.createDefaultHeader(publication.sessionId(), publication.streamId(), 0);
        for (int at = 0; at < memory.capacity(); at += FRAME_BYTES) {
            memory.putBytes(at, header, 0, HEADER_BYTES);
            memory.putInt(
                    at + DataHeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET,
                    HEADER_BYTES + FrameContest.MESSAGE_BYTES,
                    ByteOrder.LITTLE_ENDIAN);
        }
        return memory;
    }

    private static void publishBlocks(ExclusivePublication publication, UnsafeBuffer memory, long from, long to) {
        for (long i = from; i < to; ) {
            for (int at = HEADER_BYTES; at < memory.capacity(); at += FRAME_BYTES, i++) {
                for (int k = 0; k < FrameContest.MESSAGE_BYTES; k += Long.BYTES) {
                    memory.putLong(at + k, i);
                }
            }
            for (long idle = 0; offer(publication, memory) < 0; ) {
                idle = Pauses.after(0, idle);
            }
        }
    }

    /**
     * Offers a block for the place at which the publication stands, in the next term if there is no room for it in this
     * one.
     */
    private static long offer(ExclusivePublication publication, UnsafeBuffer block) {
        int left = publication.termBufferLength() - publication.termOffset();
        if (left > 0 && left < block.capacity()) {
            long padded = publication.appendPadding(left - HEADER_BYTES);
            if (padded < 0) {
                return padded;
            }
            left = publication.termBufferLength() - publication.termOffset();
        }
        int term = left > 0 ? publication.termId() : publication.termId() + 1;
        int offset = left > 0 ? publication.termOffset() : 0;
        for (int at = 0; at < block.capacity(); at += FRAME_BYTES) {
            block.putInt(at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, offset + at, ByteOrder.LITTLE_ENDIAN);
            block.putInt(at + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET, term, ByteOrder.LITTLE_ENDIAN);
        }
        return publication.offerBlock(block, 0, block.capacity());
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
