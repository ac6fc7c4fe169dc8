package io.slipstream.cli.exchange;

import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.Tally;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.client.ExchangeListener;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.Role;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One client connection of a load: it offers commands, counts what becomes of them, and measures how long it took from
 * the moment at which each should have been sent.
 *
 * <p>The thread that generates the load offers; the client's thread counts.
 */
public final class Trader implements ExchangeListener, Load.Source {
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private final OrderFlow flow;
    private final ExchangeClient client;
    private final SingleWriterRecorder latency = new SingleWriterRecorder(HIGHEST_NANOS, 3);
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong trades = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();
    private volatile @Nullable ServiceException lastFailure;
    private long offered;
    private long[] acknowledgedAt = new long[1 << 12];

    /** Connects that many traders to the exchange. */
    public static Load<Trader> load(
            Supplier<ServiceClient.Builder> service, int connections, int instruments, long seed, int windowBytes)
            throws IOException {
        return new Load<>(
                connections,
                number -> new Trader(
                        service.get().windowBytes(windowBytes).connectTimeout(Load.CONNECT_TIMEOUT),
                        seed,
                        number,
                        instruments));
    }

    /** Connects trader {@code number} to the exchange. */
    Trader(ServiceClient.Builder settings, long seed, int number, int instruments) throws IOException {
        this.flow = new OrderFlow(seed, number, instruments);
        this.client = ExchangeClient.connect(settings, this);
    }

    /**
     * Offers one command that should have been sent at {@code intendedNanos}; returns whether there was room for it.
     */
    @Override
    public boolean offer(long intendedNanos) {
        if (!flow.offer(client, intendedNanos)) {
            return false;
        }
        offered++;
        return true;
    }

    @Override
    public void onReply(
            long intendedNanos,
            long sequence,
            OrderStatus status,
            Rejection rejection,
            int instrument,
            long orderId,
            long filled,
            long remaining) {
        latency.recordValue(Math.clamp(System.nanoTime() - intendedNanos, 0, HIGHEST_NANOS));
        acknowledged(orderId, sequence, status);
        answered.setRelease(answered.getPlain() + 1);
    }

    @Override
    public void onBusy(long intendedNanos, long retryAfterNanos) {
        busy.setRelease(busy.getPlain() + 1);
    }

    @Override
    public void onFailure(long intendedNanos, ServiceException failure) {
        lastFailure = failure;
        failed.setRelease(failed.getPlain() + 1);
    }

    @Override
    public void onTrade(
            long sequence,
            int instrument,
            long orderId,
            Role role,
            Side side,
            long tradeId,
            long price,
            long quantity,
            long remaining) {
        trades.setRelease(trades.getPlain() + 1);
    }

    @Override
    public void onMissedEvents() {
        missed.incrementAndGet();
    }

    @Override
    public Tally tally() {
        return new Tally(offered, answered.getAcquire(), busy.getAcquire(), failed.getAcquire(), trades.getAcquire());
    }

    @Override
    public Histogram takeLatencies() {
        return latency.getIntervalHistogram();
    }

    @Override
    public @Nullable ServiceException lastFailure() {
        return lastFailure;
    }

    /** Returns the id of this trader's first order; they grow by one. */
    public long firstOrderId() {
        return flow.firstId();
    }

    /** Returns, for each order from the first on, the place in the log at which it was accepted; 0 if it was not. */
    public long[] acknowledgements() {
        return Arrays.copyOf(acknowledgedAt, (int) flow.placed());
    }

    /** Returns the connection, for queries. */
    public ExchangeClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
    }

    /** The first answer about an order is that to its placing. */
    private void acknowledged(long orderId, long sequence, OrderStatus status) {
        int index = (int) (orderId - flow.firstId());
        if (index < 0 || status == OrderStatus.REJECTED) {
            return;
        }
        if (index >= acknowledgedAt.length) {
            acknowledgedAt = Arrays.copyOf(acknowledgedAt, 2 * index);
        }
        if (acknowledgedAt[index] == 0) {
            acknowledgedAt[index] = sequence;
        }
    }
}
