package io.slipstream.service.pressure;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Says which commands and queries take about the same time, so that each kind is measured apart. A state machine may
 * implement it; a {@link io.slipstream.service.typed.TypedMachine} does, with a kind for each type.
 *
 * <p>Called by several threads, for each command: it must be quick, and throw nothing.
 */
@FunctionalInterface
public interface CommandKinds {
    /** All are alike. */
    CommandKinds ALIKE = (memory, offset, length) -> 0;

    /**
     * Returns the kind of a command or query, any number. A few hundred are told apart.
     *
     * @param memory where its payload is, from {@code offset} on; valid during the call
     */
    int kind(MemorySegment memory, long offset, int length);

    /** Returns what an operator reads of a kind, such as the name of its record; null if it has no name. */
    default @Nullable String kindName(int kind) {
        return null;
    }
}
