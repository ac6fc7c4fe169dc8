package io.slipstream.grid;

import org.jspecify.annotations.Nullable;

/** What a {@link Processor} sees and changes. Valid only during its call. */
public final class Entry<V> {
    private final String key;
    private @Nullable V value;
    private boolean changed;

    Entry(String key, @Nullable V value) {
        this.key = key;
        this.value = value;
    }

    /** Returns the key. */
    public String key() {
        return key;
    }

    /** Returns the value; null if there is no entry. */
    public @Nullable V value() {
        return value;
    }

    /** Puts a value, which replaces the present one. */
    public void set(V newValue) {
        value = newValue;
        changed = true;
    }

    /** Removes the entry. */
    public void remove() {
        value = null;
        changed = true;
    }

    boolean changed() {
        return changed;
    }
}
