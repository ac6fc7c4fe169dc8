package io.slipstream.benchmarks.ipc;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Aeron IPC: exclusive or shared publications, with {@code tryClaim} (up to its MTU) or {@code offer}. */
final class AeronLink implements Link {
    private final Aeron aeron;
    private final boolean exclusive;
    private final boolean claims;

    AeronLink(Path folder, boolean exclusive, boolean claims) {
        this.aeron = Aeron.connect(
                new Aeron.Context().aeronDirectoryName(folder.resolve("aeron").toString()));
        this.exclusive = exclusive;
        this.claims = claims;
    }

    /** One term is as large as the ring of the other; messages are not cut in pieces where its limits allow that. */
    private static String channel(int messageBytes) {
        int mtu = messageBytes <= 1024 ? 1408 : 65504;
        return "aeron:ipc?term-length=" + SlipstreamLink.CAPACITY + "|mtu=" + mtu;
    }

    @Override
    public Sender sender(int stream, int messageBytes) {
        UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(messageBytes));
        BufferClaim claim = new BufferClaim();
        boolean claiming = claims && messageBytes <= 1024;
        if (exclusive) {
            ExclusivePublication publication = aeron.addExclusivePublication(channel(messageBytes), stream);
            return number -> claiming
                    ? publication.tryClaim(messageBytes, claim) > 0 && commit(claim, number, messageBytes)
                    : publication.offer(filled(source, number, messageBytes)) > 0;
        }
        Publication publication = aeron.addPublication(channel(messageBytes), stream);
        return number -> claiming
                ? publication.tryClaim(messageBytes, claim) > 0 && commit(claim, number, messageBytes)
                : publication.offer(filled(source, number, messageBytes)) > 0;
    }

    private static boolean commit(BufferClaim claim, long number, int bytes) {
        MutableDirectBuffer memory = claim.buffer();
        if (bytes != SMALL_BYTES) {
            memory.setMemory(claim.offset(), bytes, (byte) 0);
            memory.putLong(claim.offset(), number);
            memory.putLong(claim.offset() + bytes - Long.BYTES, number);
        } else {
            for (int i = 0; i < SMALL_BYTES; i += Long.BYTES) {
                memory.putLong(claim.offset() + i, number);
            }
        }
        claim.commit();
        return true;
    }

    private static UnsafeBuffer filled(UnsafeBuffer source, long number, int bytes) {
        if (bytes != SMALL_BYTES) {
            source.putLong(0, number);
            source.putLong(bytes - Long.BYTES, number);
        } else {
            for (int i = 0; i < SMALL_BYTES; i += Long.BYTES) {
                source.putLong(i, number);
            }
        }
        return source;
    }

    @Override
    public Receiver receiver(int stream, int messageBytes) {
        Subscription subscription = aeron.addSubscription(channel(messageBytes), stream);
        return new Receiver() {
            private final FragmentAssembler handler = new FragmentAssembler(this::onMessage);
            private long sum;
            private int count;

            private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
                sum += buffer.getLong(offset) + buffer.getLong(offset + length - Long.BYTES);
                count++;
            }

            @Override
            public int poll() {
                count = 0;
                subscription.poll(handler, 256);
                return count;
            }

            @Override
            public long sum() {
                return sum;
            }
        };
    }

    @Override
    public void hold(int stream, int messageBytes) {
        Publication publication = aeron.addPublication(channel(messageBytes), stream);
        BufferClaim claim = new BufferClaim();
        while (publication.tryClaim(messageBytes, claim) < 0) {
            Thread.yield();
        }
    }

    @Override
    public void close() {
        aeron.close();
    }
}
