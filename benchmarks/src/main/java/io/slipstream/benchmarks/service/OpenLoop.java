package io.slipstream.benchmarks.service;

import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Commands at a fixed rate, whether or not the service keeps up; latency counts from when each was due. */
final class OpenLoop implements ReplyHandler, AutoCloseable {
    private static final long PARK_NANOS = 50_000;

    private final List<ServiceClient> clients = new ArrayList<>();
    private final MemorySegment payload = MemorySegment.ofArray(new byte[64]);
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Histogram nanos = new ConcurrentHistogram(60_000_000_000L, 3);

    OpenLoop(int port, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            clients.add(ServiceClient.builder("127.0.0.1", port)
                    .windowBytes(1 << 20)
                    .handler(this)
                    .connect());
        }
    }

    /** What came of it, once each had its answer. */
    record Outcome(long offered, long answered, long busy, double seconds, long p99Nanos) {
        double answeredPerSecond() {
            return answered / seconds;
        }
    }

    /** Offers {@code rate} commands a second. */
    Outcome run(double rate, double seconds) {
        answered.set(0);
        busy.set(0);
        nanos.reset();
        long begin = System.nanoTime();
        long all = (long) (rate * seconds);
        long sent = 0;
        while (sent < all && System.nanoTime() - begin < 2e9 * seconds) {
            long due = Math.min(all, (long) ((System.nanoTime() - begin) / 1e9 * rate));
            while (sent < due
                    && clients.get((int) (sent % clients.size()))
                            .offer(payload, 0, 64, begin + (long) (sent * 1e9 / rate))) {
                sent++;
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        double took = (System.nanoTime() - begin) / 1e9;
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (answered.get() + busy.get() + failed.get() < sent) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("commands without answer after ten seconds");
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        if (failed.get() > 0) {
            throw new IllegalStateException(failed.get() + " commands have failed");
        }
        return new Outcome(sent, answered.get(), busy.get(), took, nanos.getValueAtPercentile(99));
    }

    @Override
    public void onReply(long dueNanos, long sequence, MemorySegment memory, long offset, int length) {
        nanos.recordValue(Math.clamp(System.nanoTime() - dueNanos, 0, 59_000_000_000L));
        answered.incrementAndGet();
    }

    @Override
    public void onFailure(long dueNanos, ServiceException failure) {
        failed.incrementAndGet();
    }

    @Override
    public void onBusy(long dueNanos, long retryAfterNanos) {
        busy.incrementAndGet();
    }

    @Override
    public void close() {
        clients.forEach(ServiceClient::close);
    }
}
