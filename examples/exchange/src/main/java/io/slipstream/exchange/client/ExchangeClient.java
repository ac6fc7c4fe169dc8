package io.slipstream.exchange.client;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandWriter;
import io.slipstream.exchange.wire.DepthQuery;
import io.slipstream.exchange.wire.OrderQuery;
import io.slipstream.exchange.wire.TopOfBookQuery;
import io.slipstream.exchange.wire.TradesQuery;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Status;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client of an exchange. All methods may be called by any thread.
 *
 * <pre>{@code
 *   try (var client = ExchangeClient.connect("localhost", 7500)) {
 *       OrderResult order = client.place(1, 42, Side.BUY, OrderType.LIMIT, 10_050, 7);
 *       System.out.println(order.status() + ", " + order.filled() + " traded");
 *   }
 * }</pre>
 *
 * <p>Prices are whole numbers of ticks, quantities of lots. An order's id is chosen by the client and unique among its
 * resting orders. Orders belong to the client's session: other clients cannot see or touch them, they survive a lost
 * connection and a restart of the exchange, and {@link #close} cancels those that rest.
 *
 * <p>There are three ways to give a command: {@link #place} blocks for the result, {@link #placeAsync} returns a
 * future, and {@link #offerPlace} allocates nothing and leaves the answer to the {@link ExchangeListener}. A command is
 * applied once, also when the connection breaks and comes back in between. A refusal by the exchange is a result; what
 * the service could not do is an exception.
 */
public final class ExchangeClient implements AutoCloseable {
    /** Weak, so that a thread which outlives the program's class loader keeps it from nothing. */
    private static final ThreadLocal<@Nullable WeakReference<CommandWriter>> WRITERS = new ThreadLocal<>();

    private static final ExchangeListener NOBODY = new ExchangeListener() {};

    private final ServiceClient service;

    private ExchangeClient(ServiceClient service) {
        this.service = service;
    }

    /**
     * Connects with all defaults and without a listener.
     *
     * @throws IOException if the exchange cannot be reached; the message says why
     */
    public static ExchangeClient connect(String host, int port) throws IOException {
        return connect(host, port, NOBODY);
    }

    /** Connects with all defaults. */
    public static ExchangeClient connect(String host, int port, ExchangeListener listener) throws IOException {
        return connect(ServiceClient.builder(host, port), listener);
    }

    /** Connects as {@code settings} say, except for their handler, whose place the listener takes. */
    public static ExchangeClient connect(ServiceClient.Builder settings, ExchangeListener listener) throws IOException {
        return new ExchangeClient(
                settings.handler(new ListenerAdapter(listener)).connect());
    }

    /**
     * Places an order and waits for what becomes of it.
     *
     * @param orderId  must differ from those of this client's resting orders
     * @param price    the limit in ticks; nobody looks at that of a market order
     * @param quantity in lots
     * @throws io.slipstream.service.client.BusyException if the exchange has too much to do; the order was not placed
     * @throws io.slipstream.service.client.ConnectionLostException if the outcome cannot be known
     * @throws io.slipstream.service.client.ServiceException if the command failed otherwise
     */
    public OrderResult place(int instrument, long orderId, Side side, OrderType type, long price, long quantity) {
        return Answers.orderResult(service.call(
                writer().place(instrument, orderId, side, type, price, quantity).toBytes()));
    }

    /** Cancels what is left of a resting order, and waits; throws as {@link #place}. */
    public OrderResult cancel(int instrument, long orderId) {
        return Answers.orderResult(
                service.call(writer().cancel(instrument, orderId).toBytes()));
    }

    /**
     * Gives a resting order another price, quantity, or both, and waits; throws as {@link #place}.
     *
     * @param quantity the new total, with what has traded already
     */
    public OrderResult replace(int instrument, long orderId, long price, long quantity) {
        return Answers.orderResult(service.call(
                writer().replace(instrument, orderId, price, quantity).toBytes()));
    }

    /** As {@link #place}; the future completes on the client's thread. Throws only if the command was not sent. */
    public CompletableFuture<OrderResult> placeAsync(
            int instrument, long orderId, Side side, OrderType type, long price, long quantity) {
        return service.send(writer().place(instrument, orderId, side, type, price, quantity)
                        .toBytes())
                .thenApply(Answers::orderResult);
    }

    /** As {@link #cancel}; the future completes on the client's thread. Throws only if the command was not sent. */
    public CompletableFuture<OrderResult> cancelAsync(int instrument, long orderId) {
        return service.send(writer().cancel(instrument, orderId).toBytes()).thenApply(Answers::orderResult);
    }

    /** As {@link #replace}; the future completes on the client's thread. Throws only if the command was not sent. */
    public CompletableFuture<OrderResult> replaceAsync(int instrument, long orderId, long price, long quantity) {
        return service.send(
                        writer().replace(instrument, orderId, price, quantity).toBytes())
                .thenApply(Answers::orderResult);
    }

    /**
     * Places an order without waiting and without allocating.
     *
     * @param attachment given back to the listener with the answer
     * @return whether there was room for it among what is under way; if not, it was not sent
     * @throws io.slipstream.service.client.ServiceException if the client is closed or has given up its connection
     */
    public boolean offerPlace(
            int instrument, long orderId, Side side, OrderType type, long price, long quantity, long attachment) {
        return offer(writer().place(instrument, orderId, side, type, price, quantity), attachment);
    }

    /** Cancels an order; as {@link #offerPlace}. */
    public boolean offerCancel(int instrument, long orderId, long attachment) {
        return offer(writer().cancel(instrument, orderId), attachment);
    }

    /** Replaces an order; as {@link #offerPlace}. */
    public boolean offerReplace(int instrument, long orderId, long price, long quantity, long attachment) {
        return offer(writer().replace(instrument, orderId, price, quantity), attachment);
    }

    private static CommandWriter writer() {
        WeakReference<CommandWriter> kept = WRITERS.get();
        CommandWriter own = kept == null ? null : kept.get();
        if (own == null) {
            own = new CommandWriter();
            WRITERS.set(new WeakReference<>(own));
        }
        return own;
    }

    private boolean offer(CommandWriter command, long attachment) {
        return service.offer(command.memory(), 0, command.length(), attachment);
    }

    /**
     * Asks for the best bid and ask of an instrument.
     *
     * @throws QueryRejectedException if it is not listed
     */
    public TopOfBook topOfBook(int instrument) {
        byte[] query = new byte[TopOfBookQuery.BYTES];
        TopOfBookQuery.encode(MemorySegment.ofArray(query), 0, instrument);
        return Answers.topOfBook(service.query(query));
    }

    /**
     * Asks for the best price levels of an instrument.
     *
     * @param levels how many of each side, from 1 to {@link DepthQuery#MAX_LEVELS}
     * @throws QueryRejectedException if the instrument is not listed
     */
    public Depth depth(int instrument, int levels) {
        if (levels < 1 || levels > DepthQuery.MAX_LEVELS) {
            throw new IllegalArgumentException("levels must be 1 to " + DepthQuery.MAX_LEVELS + " but is " + levels);
        }
        byte[] query = new byte[DepthQuery.BYTES];
        DepthQuery.encode(MemorySegment.ofArray(query), 0, instrument, levels);
        return Answers.depth(service.query(query));
    }

    /**
     * Asks for the newest trades of an instrument, whoever made them. The exchange keeps
     * {@value TradesQuery#MAX_TRADES} of each.
     *
     * @param trades how many at most, from 1 to {@link TradesQuery#MAX_TRADES}
     * @param after  number of the trade that was seen last, whose successors are wanted; 0 for none
     * @throws QueryRejectedException if the instrument is not listed
     */
    public RecentTrades recentTrades(int instrument, int trades, long after) {
        if (trades < 1 || trades > TradesQuery.MAX_TRADES) {
            throw new IllegalArgumentException("trades must be 1 to " + TradesQuery.MAX_TRADES + " but is " + trades);
        }
        byte[] query = new byte[TradesQuery.BYTES];
        TradesQuery.encode(MemorySegment.ofArray(query), 0, instrument, trades, after);
        return Answers.recentTrades(service.query(query));
    }

    /** Asks for one of this client's orders; empty if it does not rest: never placed, filled, or cancelled. */
    public Optional<RestingOrder> order(long orderId) {
        byte[] query = new byte[OrderQuery.BYTES];
        OrderQuery.encode(MemorySegment.ofArray(query), 0, orderId);
        return Answers.order(service.query(query));
    }

    /** Asks the service how it is. */
    public Status status() {
        return service.status();
    }

    /** Returns whether commands can still be given: the client is not closed and has not given up its connection. */
    public boolean isOpen() {
        return service.isOpen();
    }

    /** Ends the session, which cancels its resting orders, and the client. What is not answered fails. */
    @Override
    public void close() {
        service.close();
    }

    /** Ends the client and leaves session and orders behind, as a crash would. */
    public void disconnect() {
        service.disconnect();
    }
}
