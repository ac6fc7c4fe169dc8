package io.slipstream.service;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.service.log.JournalStage;
import io.slipstream.service.logic.DivergedException;
import io.slipstream.service.snapshot.SnapshotReport;
import io.slipstream.service.snapshot.Snapshotter;
import java.util.function.Consumer;

/**
 * Forwards what the parts of a service report to its events. A machine that diverged from the running one ends the
 * service.
 */
record EventForwarding(ServiceEvents events, Consumer<Throwable> end)
        implements Snapshotter.Listener, JournalStage.Listener {
    @Override
    public void onSnapshot(SnapshotReport report) {
        events.onSnapshot(report);
    }

    @Override
    public void onFailure(Throwable reason) {
        if (reason instanceof DivergedException) {
            end.accept(reason);
        } else {
            events.onSnapshotFailed(reason);
        }
    }

    @Override
    public void onLogFull(JournalFullException reason) {
        events.onLogFull(reason);
    }

    @Override
    public void onLogHasRoom(long refused) {
        events.onLogHasRoom(refused);
    }

    @Override
    public void onTrimFailed(JournalException reason) {
        events.onTrimFailed(reason);
    }

    @Override
    public void onTrimmedAgain() {
        events.onTrimmedAgain();
    }
}
