package io.slipstream.sim.service;

import org.jspecify.annotations.Nullable;

/** The first broken promise that anybody in the world has noticed. */
final class Findings {
    private @Nullable String first;

    /** Notes a broken promise. */
    void add(String finding) {
        if (first == null) {
            first = finding;
        }
    }

    /** Notes it unless {@code holds}. */
    void require(boolean holds, String finding) {
        if (!holds) {
            add(finding);
        }
    }

    @Nullable
    String first() {
        return first;
    }
}
