package io.slipstream.sim.witness;

import org.jspecify.annotations.Nullable;

/** The first broken promise that anybody in the world has noticed. */
public final class Findings {
    private @Nullable String first;

    /** Notes a broken promise. */
    public void add(String finding) {
        if (first == null) {
            first = finding;
        }
    }

    /** Notes it unless {@code holds}. */
    public void require(boolean holds, String finding) {
        if (!holds) {
            add(finding);
        }
    }

    /** Returns the first one, or null. */
    public @Nullable String first() {
        return first;
    }
}
