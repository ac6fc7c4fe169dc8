package io.slipstream.service.typed;

/**
 * A record that asks a service something. It changes nothing and is not in the log.
 *
 * @param <R> the reply, a record or another type that has a {@link io.slipstream.data.schema.Schema}
 */
public interface Query<R> {}
