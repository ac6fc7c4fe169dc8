package io.slipstream.service.typed;

/**
 * A record that asks a service to change something. It goes into the log, and is applied once.
 *
 * <p>What its compact constructor refuses is rejected before the handler sees it.
 *
 * @param <R> the reply, a record or another type that has a {@link io.slipstream.data.schema.Schema}
 */
public interface Command<R> {}
