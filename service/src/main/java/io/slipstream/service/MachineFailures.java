package io.slipstream.service;

import io.slipstream.service.logic.Failures;
import java.time.Instant;

/** Forwards what the state machine throws to the events of a service or of a member of a cluster. */
public record MachineFailures(ServiceEvents events) implements Failures.Listener {
    @Override
    public void onFailure(long sequence, long session, Exception failure) {
        events.onMachineFailure(sequence, session, failure);
    }

    @Override
    public void onTimerFailure(long sequence, long timer, long dueNanos, Exception failure) {
        events.onTimerFailure(sequence, timer, Instant.ofEpochSecond(0, dueNanos), failure);
    }
}
