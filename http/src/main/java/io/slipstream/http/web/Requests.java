package io.slipstream.http.web;

import io.slipstream.service.typed.Operation;
import org.jspecify.annotations.Nullable;

/** Is told of each request that was answered; called by many threads. */
@FunctionalInterface
public interface Requests {
    /** A request was answered; {@code kind} is null for what is neither command nor query. */
    void done(Operation.@Nullable Kind kind, int status, long nanos);
}
