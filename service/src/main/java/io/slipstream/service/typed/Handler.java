package io.slipstream.service.typed;

/**
 * Applies commands of one type, or answers queries of one type.
 *
 * @param <C> the command or query
 * @param <R> the reply
 */
@FunctionalInterface
public interface Handler<C, R> {
    /**
     * Returns the reply; or what {@link Context#reject} returns.
     *
     * @param context valid only during the call
     */
    R handle(C command, Context context);
}
