package io.slipstream.core.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Counters of one owner that come and go together: if one of them finds no place, the others give theirs back. For one
 * thread at a time.
 */
public final class CounterGroup {
    private final Counters counters;
    private final String owner;
    private final List<Counter> members = new ArrayList<>();

    /** Creates a group without counters; {@code owner} is the name under which they are shown. */
    public CounterGroup(Counters counters, String owner) {
        this.counters = Objects.requireNonNull(counters, "counters");
        this.owner = Objects.requireNonNull(owner, "owner");
    }

    /**
     * Adds a counter that starts at 0.
     *
     * @throws IllegalStateException    if all places are taken; the whole group has been freed then
     * @throws IllegalArgumentException if the owner or the label is too long; the whole group has been freed then
     */
    public Counter add(CounterType type, String label) {
        try {
            Counter counter = counters.add(type, owner, label);
            members.add(counter);
            return counter;
        } catch (IllegalStateException | IllegalArgumentException e) {
            free();
            throw e;
        }
    }

    /** Frees all counters of the group, which must not be written any more; the group is empty then. */
    public void free() {
        members.forEach(counters::free);
        members.clear();
    }
}
