package io.slipstream.service.typed;

import io.slipstream.data.codec.Codec;
import io.slipstream.service.client.Feed;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * A client of a typed service: records in, records out. All methods may be called by any thread.
 *
 * <pre>{@code
 *   try (TypedClient client = TypedClient.connect(CONTRACT, "localhost", 7500)) {
 *       Balance balance = client.call(new Deposit(7, 100));
 *   }
 * }</pre>
 *
 * <p>What is said of {@link ServiceClient} about resending and exactly-once holds. The client tells the service its
 * records: one of another contract, or of another history of it, is refused before anything is sent, with
 * {@link FailureCode#OTHER_SCHEMA} and words that say what differs.
 */
public final class TypedClient implements AutoCloseable {
    private final Contract contract;
    private final ServiceClient client;

    private TypedClient(Contract contract, ServiceClient client) {
        this.contract = contract;
        this.client = client;
    }

    /** Connects with all defaults, and hears no events. */
    public static TypedClient connect(Contract contract, String host, int port) throws IOException {
        return of(contract).connect(ServiceClient.builder(host, port));
    }

    /** Begins to describe a client of the services of that contract. */
    public static Builder of(Contract contract) {
        return new Builder(contract);
    }

    /**
     * Sends a command and waits for its reply.
     *
     * @throws IllegalArgumentException           if it is none of the contract, or longer than the service takes
     * @throws io.slipstream.data.EncodeException if it does not fit its schema; in both cases nothing was sent
     * @throws RejectedException                  if the machine did not accept it
     * @throws ServiceException                   as {@link ServiceClient#call}
     */
    public <R> R call(Command<R> command) {
        Operation<Command<R>, R> operation = operation(command);
        try {
            return decode(operation, client.call(operation.codec().toBytes(command)));
        } catch (ServiceException e) {
            throw typed(e);
        }
    }

    /**
     * Sends a command; the future completes as that of {@link ServiceClient#send}, exceptionally as {@link #call}
     * throws.
     */
    public <R> CompletableFuture<R> callAsync(Command<R> command) {
        Operation<Command<R>, R> operation = operation(command);
        return decoded(operation, client.send(operation.codec().toBytes(command)));
    }

    /** As {@link #call(Command)}, under a number of the caller's own; see {@link ServiceClient#send(long, byte[])}. */
    public <R> R call(long number, Command<R> command) {
        Operation<Command<R>, R> operation = operation(command);
        try {
            return decode(operation, client.call(number, operation.codec().toBytes(command)));
        } catch (ServiceException e) {
            throw typed(e);
        }
    }

    /** As {@link #callAsync(Command)}, under a number of the caller's own. */
    public <R> CompletableFuture<R> callAsync(long number, Command<R> command) {
        Operation<Command<R>, R> operation = operation(command);
        return decoded(operation, client.send(number, operation.codec().toBytes(command)));
    }

    /**
     * Sends a command and waits for what becomes of it; as {@link #call}, but a rejection is returned and not thrown.
     *
     * @throws ServiceException as {@link ServiceClient#call}, for whatever is no rejection
     */
    public <R> Outcome<R> attempt(Command<R> command) {
        try {
            return new Outcome.Accepted<>(call(command));
        } catch (RejectedException e) {
            return new Outcome.Rejected<>(e.reason());
        }
    }

    /** Asks the machine something and waits for the answer; throws as {@link #call} does. */
    public <R> R query(Query<R> query) {
        Operation<Query<R>, R> operation = operation(query);
        try {
            return decode(operation, client.query(operation.codec().toBytes(query)));
        } catch (ServiceException e) {
            throw typed(e);
        }
    }

    /** As {@link #query}; the future completes as that of {@link #callAsync}. */
    public <R> CompletableFuture<R> queryAsync(Query<R> query) {
        Operation<Query<R>, R> operation = operation(query);
        return decoded(operation, client.queryAsync(operation.codec().toBytes(query)));
    }

    /**
     * Subscribes to a topic: the service first sends what is there, and then each event that is published, in order and
     * once, also across cuts of the connection. What cannot be decoded, such as an event that a newer service knows, is
     * left out, and goes to where uncaught exceptions go.
     *
     * @throws ServiceException as {@link ServiceClient#subscribe(long, FeedHandler)}
     */
    public Feed subscribe(long topic, TypedFeedHandler handler) {
        return client.subscribe(topic, new EventFeed(contract, handler));
    }

    /** As {@link #subscribe(long, TypedFeedHandler)}, behind the item at that place, which was seen before. */
    public Feed subscribe(long topic, long sequence, int index, TypedFeedHandler handler) {
        return client.subscribe(topic, sequence, index, new EventFeed(contract, handler));
    }

    /** Returns the client that carries the bytes. */
    public ServiceClient raw() {
        return client;
    }

    /** Returns what may be sent and received. */
    public Contract contract() {
        return contract;
    }

    /** Ends the session, if the service can be reached, and the client. */
    @Override
    public void close() {
        client.close();
    }

    @SuppressWarnings("unchecked")
    private <C, R> Operation<C, R> operation(C request) {
        return contract.operation((Class<C>) request.getClass());
    }

    private static <C, R> CompletableFuture<R> decoded(Operation<C, R> operation, CompletableFuture<Reply> sent) {
        return sent.handle((reply, failure) -> {
            if (failure != null) {
                throw failure instanceof ServiceException e ? typed(e) : new CompletionException(failure);
            }
            return decode(operation, reply);
        });
    }

    private static <C, R> R decode(Operation<C, R> operation, Reply reply) {
        return operation.replyCodec().fromBytes(reply.payload());
    }

    private static ServiceException typed(ServiceException failure) {
        return failure.code() == FailureCode.REJECTED
                ? new RejectedException(String.valueOf(failure.getMessage()))
                : failure;
    }

    /** Describes a client. */
    public static final class Builder {
        private final Contract contract;
        private final Map<Codec<?>, Consumer<MemorySegment>> listeners = new HashMap<>();
        private Runnable onMissed = () -> {};

        private Builder(Contract contract) {
            this.contract = contract;
        }

        /**
         * Sets who gets events of a type, on the client's own thread: it must not block.
         *
         * @throws IllegalArgumentException if the contract does not have the event
         */
        @SuppressWarnings("unchecked")
        public <E extends Event> Builder on(Class<E> type, Consumer<? super E> listener) {
            Codec<E> codec = (Codec<E>) (Codec<?>) contract.eventCodec(type);
            listeners.put(codec, payload -> listener.accept(codec.decode(payload, 0, (int) payload.byteSize())));
            return this;
        }

        /** Sets what is run when events were lost while the client was away. */
        public Builder onMissedEvents(Runnable action) {
            onMissed = action;
            return this;
        }

        /**
         * Connects.
         *
         * @param transport says where to, and how; its handler is set here
         * @throws IOException if the service cannot be reached or does not want this client; the message says why
         */
        public TypedClient connect(ServiceClient.Builder transport) throws IOException {
            EventHandler handler = new EventHandler(contract, Map.copyOf(listeners), onMissed);
            transport.handler(handler).schema(contract.definitions());
            return new TypedClient(contract, transport.connect());
        }
    }

    /** Decodes the items of a topic. */
    private record EventFeed(Contract contract, TypedFeedHandler handler) implements FeedHandler {
        @Override
        public void onSnapshot() {
            handler.onSnapshot();
        }

        @Override
        public void onSnapshotItem(MemorySegment memory, long offset, int length) {
            handler.onSnapshotItem(contract.event(memory, offset, length));
        }

        @Override
        public void onLive() {
            handler.onLive();
        }

        @Override
        public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {
            handler.onItem(sequence, index, contract.event(memory, offset, length));
        }

        @Override
        public void onEnd(ServiceException why) {
            handler.onEnd(why);
        }
    }

    /** Decodes events; nothing is offered, so there are no replies. */
    private record EventHandler(Contract contract, Map<Codec<?>, Consumer<MemorySegment>> listeners, Runnable onMissed)
            implements ReplyHandler {
        @Override
        public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
            Consumer<MemorySegment> listener = listeners.get(contract.eventCodec(memory, offset, length));
            if (listener != null) {
                listener.accept(memory.asSlice(offset, length));
            }
        }

        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {}

        @Override
        public void onFailure(long attachment, ServiceException failure) {}

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {}

        @Override
        public void onMissedOutputs() {
            onMissed.run();
        }
    }
}
