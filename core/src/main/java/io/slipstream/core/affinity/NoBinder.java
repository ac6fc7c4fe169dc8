package io.slipstream.core.affinity;

import java.util.Optional;

/** Where threads cannot be bound. */
record NoBinder(String reason) implements Affinity.Binder {
    @Override
    public Optional<String> bind(CpuSet cpus) {
        return Optional.of(reason);
    }

    @Override
    public String name() {
        return "not at all: " + reason;
    }
}
