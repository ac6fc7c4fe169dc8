package io.slipstream.http.call;

import io.slipstream.service.client.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A request that waits until it is sent. Whoever takes it first, its sender or the one who has waited, decides. */
final class Turn extends CompletableFuture<Reply> implements Withdrawable {
    private final AtomicReference<byte @Nullable []> payload;
    private final boolean isQuery;

    Turn(byte[] payload, boolean isQuery) {
        this.payload = new AtomicReference<>(payload);
        this.isQuery = isQuery;
    }

    boolean isQuery() {
        return isQuery;
    }

    /** Returns what is to be sent now; null if it was withdrawn. */
    byte @Nullable [] take() {
        return payload.getAndSet(null);
    }

    @Override
    public boolean withdraw() {
        return payload.getAndSet(null) != null;
    }
}
