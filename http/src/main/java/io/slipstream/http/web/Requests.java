package io.slipstream.http.web;

import io.slipstream.service.typed.Operation;
import org.jspecify.annotations.Nullable;

/** Called with each request that was answered, by many threads. */
@FunctionalInterface
public interface Requests {
    /** A request was answered; {@code kind} is null for what is neither command nor query. */
    void done(Operation.@Nullable Kind kind, int status, long nanos);
}
