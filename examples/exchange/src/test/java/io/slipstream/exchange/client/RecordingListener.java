package io.slipstream.exchange.client;

import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.OrderChange;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.Role;
import io.slipstream.service.client.ServiceException;
import io.slipstream.testkit.Await;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what it is told, in words. */
final class RecordingListener implements ExchangeListener {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    /** The next thing told, for which it waits. */
    String next() throws InterruptedException {
        String next = told.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was told within " + Await.PATIENCE.toSeconds() + " s");
        }
        return next;
    }

    boolean isEmpty() {
        return told.isEmpty();
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
        told.add(role + " " + side + " " + instrument + ":" + orderId + " trade " + tradeId + ", " + quantity + " at "
                + price + ", left " + remaining);
    }

    @Override
    public void onUpdate(
            long sequence, int instrument, long orderId, OrderChange change, Side side, long price, long remaining) {
        told.add(change + " " + side + " " + instrument + ":" + orderId + " at " + price + ", left " + remaining);
    }

    @Override
    public void onReply(
            long attachment,
            long sequence,
            OrderStatus status,
            Rejection rejection,
            int instrument,
            long orderId,
            long filled,
            long remaining) {
        told.add("reply " + attachment + ": " + status + " " + rejection + " " + instrument + ":" + orderId + " filled "
                + filled + " remaining " + remaining);
    }

    @Override
    public void onFailure(long attachment, ServiceException failure) {
        told.add("failure " + attachment + ": " + failure.code());
    }

    @Override
    public void onBusy(long attachment, long retryAfterNanos) {
        told.add("busy " + attachment + ": " + retryAfterNanos);
    }

    @Override
    public void onMissedEvents() {
        told.add("missed");
    }
}
