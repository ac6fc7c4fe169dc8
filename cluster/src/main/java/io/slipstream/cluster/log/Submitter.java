package io.slipstream.cluster.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the gateway has put into the ring to the leader, in batches, and sends all again that has not come back
 * through the log in time. So nothing is lost when a leader is, and each member drops what comes twice.
 *
 * <p>While nothing comes back for long, the gateway is told to send its clients away. The gateway's thread runs it.
 */
public final class Submitter implements Duty {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final long FIRST_RETRY_NANOS = 500_000_000;
    private static final long LONGEST_RETRY_NANOS = 4_000_000_000L;
    private static final long PROBE_NANOS = 300_000_000;

    private final Host host;
    private final FrameRing input;
    private final FramePoller published;
    private final Sequence applied;
    private final Sequence probed;
    private final LogTap tap;
    private final Consumer<@Nullable String> away;
    private final int member;
    private final long origin;
    private final long patienceNanos;
    private final int maxBatchBytes;
    private final long base;
    private final MemorySegment batch;
    private long cursor;
    private long batchEnd;
    private int batchBytes;
    private long acknowledged;
    private long progressNanos;
    private long calmNanos;
    private long retryNanos = FIRST_RETRY_NANOS;
    private boolean present;
    /* Written by this thread alone. */
    private volatile long probe;
    private final AtomicLong wanted = new AtomicLong();
    private long nextProbeNanos;

    /**
     * Creates the duty.
     *
     * @param published     polls {@code input} before {@code applied} does
     * @param applied       how far the own frames have come back through the log
     * @param probed        the number of the last probe that has come back
     * @param away          is called with the reason when clients are to go, and with null when they may come
     * @param origin        of this life of the gateway, greater than those before
     * @param patienceNanos for how long nothing may come back before clients are sent away
     * @param maxBatchBytes the most bytes of frames that make one entry; at least the longest frame
     */
    public Submitter(
            Host host,
            FrameRing input,
            FramePoller published,
            Sequence applied,
            Sequence probed,
            LogTap tap,
            Consumer<@Nullable String> away,
            int member,
            long origin,
            long patienceNanos,
            int maxBatchBytes) {
        this.host = host;
        this.input = input;
        this.published = published;
        this.applied = applied;
        this.probed = probed;
        this.tap = tap;
        this.away = away;
        this.member = member;
        this.origin = origin;
        this.patienceNanos = patienceNanos;
        this.maxBatchBytes = maxBatchBytes;
        this.base = published.sequence().getPlain();
        this.cursor = base;
        this.acknowledged = base;
        this.batch = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(Envelope.HEADER_BYTES + maxBatchBytes));
        this.progressNanos = host.nanoTime();
        this.calmNanos = progressNanos;
        this.nextProbeNanos = progressNanos;
    }

    /**
     * Asks for a sign that the log can be reached.
     *
     * @return the number that {@code probed} comes to when an entry that was sent after this call has come back. Any
     *     thread may ask
     */
    public long askForSign() {
        long number = probe + 1;
        wanted.accumulateAndGet(number, Math::max);
        return number;
    }

    @Override
    public int work() {
        int done = tap.work();
        long end = newest();
        long now = host.nanoTime();
        follow(end, now);
        if (tap.hasChanged()) {
            cursor = acknowledged;
        }
        while (cursor - acknowledged < WINDOW_BYTES && cursor < end && tap.isOpen() && gather(end) && offer()) {
            done++;
        }
        attend(now);
        return done;
    }

    @Override
    public void onStop() {
        tap.close();
    }

    private void follow(long end, long now) {
        long back = applied.getAcquire();
        if (back != acknowledged) {
            acknowledged = back;
            cursor = Math.max(cursor, back);
            progressNanos = now;
            calmNanos = now;
            retryNanos = FIRST_RETRY_NANOS;
        } else if (end == back) {
            calmNanos = now;
            progressNanos = now;
        } else if (cursor > back && now - progressNanos > retryNanos) {
            cursor = back;
            progressNanos = now;
            retryNanos = Math.min(2 * retryNanos, LONGEST_RETRY_NANOS);
        }
    }

    private long newest() {
        int run;
        while ((run = published.peekRun(Integer.MAX_VALUE)) > 0) {
            published.release(run);
        }
        return published.sequence().getPlain();
    }

    /** Copies frames from the cursor on into the batch; returns whether there is any. */
    private boolean gather(long end) {
        MemorySegment ring = input.memory();
        long at = cursor;
        long last = cursor;
        int used = 0;
        while (at < end) {
            long offset = input.offset(at);
            int length = Frame.length(ring, offset);
            if (length < 0) {
                at -= length;
                continue;
            }
            int aligned = Frame.align(length);
            if (MessageType.isLogged(Message.type(ring, offset))) {
                if (used > 0 && used + aligned > maxBatchBytes) {
                    break;
                }
                MemorySegment.copy(ring, offset, batch, Envelope.HEADER_BYTES + used, aligned);
                used += aligned;
            }
            at += aligned;
            last = at;
        }
        batchEnd = last;
        batchBytes = used;
        return last > cursor;
    }

    private boolean offer() {
        Envelope.encode(batch, member, origin, cursor, batchEnd, cursor == base);
        if (!tap.offer(batch, Envelope.HEADER_BYTES + batchBytes)) {
            return false;
        }
        cursor = batchEnd;
        return true;
    }

    /** Lets clients in while the log can be reached, and sends them away otherwise. */
    private void attend(long now) {
        if (present) {
            if (now - calmNanos > patienceNanos) {
                present = false;
                // One of before does not count.
                nextProbe();
                away.accept("this member has lost the majority; another one may have it");
            }
        } else if (acknowledged > base && probe > 0 && probed.getAcquire() == probe) {
            present = true;
            calmNanos = now;
            away.accept(null);
        }
        if ((!present || probed.getAcquire() < wanted.get()) && now - nextProbeNanos >= 0 && tap.isOpen()) {
            nextProbeNanos = now + PROBE_NANOS;
            Envelope.encodeProbe(batch, member, origin, nextProbe());
            tap.offer(batch, Envelope.HEADER_BYTES);
        }
    }

    private long nextProbe() {
        long next = probe + 1;
        probe = next;
        return next;
    }
}
