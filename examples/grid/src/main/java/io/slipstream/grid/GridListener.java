package io.slipstream.grid;

import org.jspecify.annotations.Nullable;

/**
 * Hears of all changes of a map, in the order in which they were made and each once, also when the connection breaks or
 * the leader of a cluster fails.
 *
 * <p>It runs on the thread that receives replies. So it must not block, and a call of a {@link GridMap} that waits for
 * a reply is refused; {@link GridMap#invokeAsync} is not.
 */
@FunctionalInterface
public interface GridListener<V> {
    /** All entries follow, each as a change from null. What was heard before no longer counts. */
    default void onSnapshot() {}

    /** Everything up to now was heard. */
    default void onLive() {}

    /** An entry was put ({@code former} is null), changed, or removed ({@code value} is null). */
    void onChange(String key, @Nullable V former, @Nullable V value);
}
