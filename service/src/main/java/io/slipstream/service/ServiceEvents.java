package io.slipstream.service;

import io.slipstream.journal.RecoveryReport;
import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.security.Audit;
import io.slipstream.service.snapshot.Recovery;
import io.slipstream.service.snapshot.SnapshotReport;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Lifecycle events of a service. By default they go to the system's logger named {@code io.slipstream.service},
 * failures of the state machine at most ten times a second; the rest of them is counted.
 *
 * <p>Called by several threads of the service, which wait until it returns; what it throws ends the thread that called.
 */
public interface ServiceEvents extends Recovery.Progress, Audit {
    /**
     * The service serves.
     *
     * @param machine  name of its state machine
     * @param port     that clients connect to
     * @param recovery what was found in the journal
     */
    default void onStarted(String machine, int port, RecoveryReport recovery) {}

    /**
     * The service has ended.
     *
     * @param accepted messages since the start
     * @param refused  commands since the start
     * @param failure  that has ended it, or null if it was closed
     */
    default void onEnded(long accepted, long refused, @Nullable Throwable failure) {}

    /** A snapshot is durable. */
    default void onSnapshot(SnapshotReport report) {}

    /** A snapshot that was due could not be taken; those before are untouched, and nothing was trimmed. */
    default void onSnapshotFailed(Throwable reason) {}

    /**
     * The state machine has thrown an exception.
     *
     * @param sequence of the log entry; 0 for a query or a subscription
     * @param session  that sent it; 0 if none did
     */
    default void onMachineFailure(long sequence, long session, Exception failure) {}

    /**
     * The state machine has thrown an exception in a timer. Unless overridden, this is as {@link #onMachineFailure}
     * without a session.
     *
     * @param sequence of the log entry that the timer fired with
     * @param due      when it was due
     */
    default void onTimerFailure(long sequence, long timer, Instant due, Exception failure) {
        onMachineFailure(sequence, 0, failure);
    }

    /**
     * The state machine has been in one command, timer or query for longer than {@link ServiceConfig#slowEntryAfter},
     * also while the log is replayed. Called again each time that this has doubled, by a thread of its own.
     */
    default void onSlowEntry(SlowEntry entry) {}

    /**
     * The device of the log is full: until there is room again, what must be logged is refused. Called once for each
     * time.
     */
    default void onLogFull(Throwable reason) {}

    /** The log has room again; {@code refused} requests found none meanwhile. */
    default void onLogHasRoom(long refused) {}

    /**
     * The log could not be trimmed behind a snapshot: a permission is missing, too many files are open, the position of
     * a tailer is damaged. Nothing is lost; the log grows until that is mended, and the service tries again once a
     * second. Called once for each reason.
     */
    default void onTrimFailed(Throwable reason) {}

    /** The log was trimmed, for the first time since it could not be. */
    default void onTrimmedAgain() {}

    /**
     * The clock of the machine is not followed any more, since it has gone back or leapt too far; or it is again.
     * Called once for each time, by any thread of the service.
     *
     * @param ahead of the time of the log; negative if it is behind, zero if it is followed again
     */
    default void onClock(Duration ahead) {}

    /**
     * The pressure is another one than before. It rises at once and falls with hysteresis. Called by the thread of the
     * first gateway: be quick.
     *
     * @param pending how many commands wait
     * @param limit   how many can be answered in time
     */
    default void onPressure(PressureGauge.Level level, long pending, long limit) {}

    /**
     * Something that an operator should know and that the service lives with: there is no memory
     * for the buffers of connections, a port takes none.
     */
    default void onWarning(String message) {}

    /** Logs to the system's logger. */
    static ServiceEvents logged() {
        return new LoggedEvents(System.getLogger("io.slipstream.service"));
    }

    /** Says nothing. */
    static ServiceEvents ignored() {
        return new ServiceEvents() {};
    }
}
