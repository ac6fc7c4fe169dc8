package io.slipstream.cli.demo;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.client.ExchangeListener;
import io.slipstream.exchange.client.OrderResult;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Places one resting order after the other, and knows which of them were accepted. Nothing in them can be refused, but
 * an order that is placed twice.
 */
final class OrderStream implements AutoCloseable {
    private static final int INSTRUMENT = 1;
    private static final long BUSY_PAUSE_MILLIS = 2;

    private final ExchangeClient client;
    private final long price;
    private final Thread thread;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private volatile long longestNanos;
    private volatile @Nullable String failure;
    private volatile boolean stopped;

    OrderStream(String addresses, int number) throws IOException {
        this.client = ExchangeClient.connect(
                ServiceClient.builder(addresses).timeout(Duration.ofSeconds(30)), new ExchangeListener() {});
        this.price = 100 + number;
        this.thread = Thread.ofPlatform().daemon().name("orders-" + number).start(this::run);
    }

    private void run() {
        try {
            while (!stopped) {
                place();
            }
        } catch (ServiceException e) {
            failure = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void place() throws InterruptedException {
        long begin = System.nanoTime();
        try {
            OrderResult result = client.place(INSTRUMENT, accepted.get() + 1, Side.BUY, OrderType.LIMIT, price, 1);
            if (!result.isAccepted()) {
                failure = "order " + result.orderId() + " was rejected: " + result.rejection();
                stopped = true;
                return;
            }
            accepted.incrementAndGet();
        } catch (BusyException e) {
            busy.incrementAndGet();
            Thread.sleep(BUSY_PAUSE_MILLIS);
        }
        longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
    }

    long accepted() {
        return accepted.get();
    }

    long busy() {
        return busy.get();
    }

    long price() {
        return price;
    }

    /** Returns the longest time that an order took since this was asked last, in nanoseconds. */
    long takeLongest() {
        long longest = longestNanos;
        longestNanos = 0;
        return longest;
    }

    @Nullable
    String failure() {
        return failure;
    }

    /** Stops placing, and waits until the last order is answered. */
    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    /** Returns how many of the accepted orders do not rest. */
    long missing() {
        long missing = 0;
        for (long order = 1; order <= accepted.get(); order++) {
            missing += client.order(order).isPresent() ? 0 : 1;
        }
        return missing;
    }

    ExchangeClient client() {
        return client;
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }
}
