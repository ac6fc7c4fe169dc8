package io.slipstream.cli.typed;

import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.Tally;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** One connection of a load on any service. The thread that generates the load offers; the client's thread counts. */
final class Caller implements Load.Source, ReplyHandler {
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private final Payloads payloads;
    private final ServiceClient client;
    private final SingleWriterRecorder latency = new SingleWriterRecorder(HIGHEST_NANOS, 3);
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private volatile @Nullable ServiceException lastFailure;
    private long offered;

    Caller(ServiceClient.Builder service, Payloads payloads) throws IOException {
        this.payloads = payloads;
        this.client = service.handler(this).connect();
    }

    @Override
    public boolean offer(long dueNanos) {
        MemorySegment payload = payloads.next();
        int length = (int) payload.byteSize();
        if (!(payloads.isQuery()
                ? client.offerQuery(payload, 0, length, dueNanos)
                : client.offer(payload, 0, length, dueNanos))) {
            return false;
        }
        payloads.taken();
        offered++;
        return true;
    }

    @Override
    public void onReply(long dueNanos, long sequence, MemorySegment memory, long offset, int length) {
        answered(dueNanos);
    }

    private void answered(long dueNanos) {
        latency.recordValue(Math.clamp(System.nanoTime() - dueNanos, 0, HIGHEST_NANOS));
        answered.setRelease(answered.getPlain() + 1);
    }

    @Override
    public void onFailure(long dueNanos, ServiceException failure) {
        if (failure.code() == FailureCode.REJECTED) {
            // An answer of the machine's as any other.
            answered(dueNanos);
            return;
        }
        lastFailure = failure;
        failed.setRelease(failed.getPlain() + 1);
    }

    @Override
    public void onBusy(long dueNanos, long retryAfterNanos) {
        busy.setRelease(busy.getPlain() + 1);
    }

    @Override
    public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
        events.setRelease(events.getPlain() + 1);
    }

    @Override
    public Tally tally() {
        return new Tally(offered, answered.getAcquire(), busy.getAcquire(), failed.getAcquire(), events.getAcquire());
    }

    @Override
    public Histogram takeLatencies() {
        return latency.getIntervalHistogram();
    }

    @Override
    public @Nullable ServiceException lastFailure() {
        return lastFailure;
    }

    @Override
    public void close() {
        client.close();
    }
}
