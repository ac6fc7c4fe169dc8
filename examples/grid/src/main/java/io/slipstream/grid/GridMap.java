package io.slipstream.grid;

import io.slipstream.service.client.Feed;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.service.typed.TypedFeedHandler;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of the map, on a service or a cluster. Any thread may call it.
 *
 * <p>What a method has returned is in the log, and each change is made once. All that wait throw as
 * {@link TypedClient#call} does, and {@link IllegalStateException} in a listener.
 */
public final class GridMap<V> implements AutoCloseable {
    private static final ScopedValue<Boolean> LISTENING = ScopedValue.newInstance();

    private final GridType<V> type;
    private final TypedClient client;

    GridMap(GridType<V> type, TypedClient client) {
        this.type = type;
        this.client = client;
    }

    /** Puts a value, and returns the one that it replaces; null if there was none. */
    public @Nullable V put(String key, V value) {
        refuseInListener();
        return type.decode(
                client.call(new Put(key, type.values().toBytes(value))).bytes());
    }

    /** Removes an entry and returns its value; null if there was none. */
    public @Nullable V remove(String key) {
        refuseInListener();
        return type.decode(client.call(new Remove(key)).bytes());
    }

    /** Returns the value of a key; null if there is none. */
    public @Nullable V get(String key) {
        refuseInListener();
        return type.decode(client.query(new Get(key)).bytes());
    }

    /**
     * Runs a processor where the entry is, and returns its reply.
     *
     * @throws io.slipstream.service.typed.RejectedException if it threw; the entry is as it was
     * @throws IllegalArgumentException                      if the type of the map does not name it
     */
    public <R> R invoke(Processor<V, R> processor) {
        refuseInListener();
        return client.call(processor);
    }

    /** As {@link #invoke}, without waiting; a listener may do this, too. */
    public <R> CompletableFuture<R> invokeAsync(Processor<V, R> processor) {
        return client.callAsync(processor);
    }

    /** Lets a listener hear of all entries and of each change, until the feed is closed. */
    public Feed listen(GridListener<V> listener) {
        return client.subscribe(GridMachine.CHANGES, new Changes(listener));
    }

    @Override
    public void close() {
        client.close();
    }

    private static void refuseInListener() {
        if (LISTENING.isBound()) {
            throw new IllegalStateException("a listener may not call a map and wait, since it runs on the thread that"
                    + " receives the reply; use invokeAsync, or hand the work to a thread of your own");
        }
    }

    /** Marks the calls of a listener, and decodes what it hears. */
    private final class Changes implements TypedFeedHandler {
        private final GridListener<V> listener;

        Changes(GridListener<V> listener) {
            this.listener = listener;
        }

        @Override
        public void onSnapshot() {
            listening(listener::onSnapshot);
        }

        @Override
        public void onItem(long sequence, int index, Event event) {
            Changed changed = (Changed) event;
            listening(() ->
                    listener.onChange(changed.key(), type.decode(changed.former()), type.decode(changed.value())));
        }

        @Override
        public void onLive() {
            listening(listener::onLive);
        }

        private void listening(Runnable call) {
            ScopedValue.where(LISTENING, true).run(call);
        }
    }
}
