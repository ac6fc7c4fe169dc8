package io.slipstream.service;

import io.slipstream.core.text.ShellWord;
import io.slipstream.journal.RecoveryReport;
import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.snapshot.SnapshotReport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Logs the lifecycle events of a service; see {@link ServiceEvents}. */
final class LoggedEvents implements ServiceEvents {
    private static final int FAILURES_A_SECOND = 10;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long PROGRESS_NANOS = 2_000_000_000;
    private static final long PRESSURE_NANOS = 60_000_000_000L;

    private static final int MAX_CAUSES = 16;

    private final Logger logger;
    private String snapshotFailure = "";
    private long failedSnapshots;
    private long secondStart = System.nanoTime();
    private int inSecond;
    private long unsaid;
    private final DenialLog denials;
    private long lastProgress = System.nanoTime();
    private long nextPressure = System.nanoTime();
    private boolean pressureLogged;

    LoggedEvents(Logger logger) {
        this.logger = logger;
        this.denials = new DenialLog(logger, System::nanoTime);
    }

    @Override
    public void onStarted(String machine, int port, RecoveryReport recovery) {
        logger.log(
                Level.INFO,
                "{0} serves on port {1}; {2} entries were in its log{3}",
                machine,
                text(port),
                text(recovery.records()),
                recovery.clean() ? "" : ", which had not ended in order");
        for (String renewed : recovery.renewed()) {
            logger.log(Level.WARNING, "wrote a damaged file of the journal anew: " + renewed + ". Look at the device");
        }
    }

    @Override
    public void onEnded(long accepted, long refused, @Nullable Throwable failure) {
        if (failure == null) {
            logger.log(Level.INFO, "ended; {0} messages were accepted and {1} refused", text(accepted), text(refused));
        } else {
            logger.log(
                    Level.ERROR,
                    "ended by a failure, with " + accepted + " messages accepted and " + refused + " refused",
                    failure);
        }
    }

    @Override
    public void onWarning(String message) {
        logger.log(Level.WARNING, message);
    }

    @Override
    public void onPressure(PressureGauge.Level level, long pending, long limit) {
        long now = System.nanoTime();
        if (level == PressureGauge.Level.NORMAL) {
            if (pressureLogged) {
                pressureLogged = false;
                logger.log(
                        Level.INFO,
                        "pressure is NORMAL again: {0} commands wait of {1} that can be answered in time",
                        text(pending),
                        text(limit));
            }
            return;
        }
        // Half a service is short of room now and then, and nobody wants to read of each time.
        if (now - nextPressure >= 0) {
            nextPressure = now + PRESSURE_NANOS;
            pressureLogged = true;
            logger.log(
                    Level.WARNING,
                    "pressure is {0}: {1} commands wait of {2} that can be answered in time",
                    level,
                    text(pending),
                    text(limit));
        }
    }

    @Override
    public void onLogin(String principal, String remote) {
        logger.log(Level.INFO, "login of {0} from {1}", principal, remote);
    }

    @Override
    public void onLoginRefused(String remote, String reason) {
        denials.loginRefused(remote, reason);
    }

    @Override
    public void onForbidden(String principal, String remote, String request) {
        denials.forbidden(principal, remote, request);
    }

    @Override
    public synchronized void onSnapshot(SnapshotReport report) {
        snapshotFailure = "";
        logger.log(
                Level.DEBUG,
                "snapshot of entry {0}: {1} bytes in {2} ms, commands waited {3} ms",
                text(report.sequence()),
                text(report.bytes()),
                text(report.took().toMillis()),
                text(report.pause().toMillis()));
    }

    /** Says the same failure with its trace once, then in a line at the 2nd, 4th, 8th time and so on. */
    @Override
    public synchronized void onSnapshotFailed(Throwable reason) {
        String kind = kindOf(reason);
        if (!kind.equals(snapshotFailure)) {
            snapshotFailure = kind;
            failedSnapshots = 1;
            logger.log(Level.WARNING, "no snapshot: " + reason.getMessage(), reason);
        } else if (Long.bitCount(++failedSnapshots) == 1) {
            logger.log(
                    Level.WARNING,
                    "no snapshot: " + reason.getMessage() + " (" + failedSnapshots
                            + " snapshots in a row have failed in this way)");
        }
    }

    /** The classes alone: a message names another file each time. */
    private static String kindOf(Throwable reason) {
        StringBuilder kind = new StringBuilder();
        Throwable cause = reason;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            kind.append(cause.getClass().getName()).append(' ');
            cause = cause.getCause();
        }
        return kind.toString();
    }

    @Override
    public void onMachineFailure(long sequence, long session, Exception failure) {
        thrown("session " + session, sequence, failure);
    }

    @Override
    public void onTimerFailure(long sequence, long timer, Instant due, Exception failure) {
        thrown("timer " + timer + ", due at " + due, sequence, failure);
    }

    private synchronized void thrown(String by, long sequence, Exception failure) {
        long now = System.nanoTime();
        if (now - secondStart >= SECOND_NANOS) {
            if (unsaid > 0) {
                logger.log(Level.WARNING, "the state machine has thrown {0} more exceptions", text(unsaid));
            }
            secondStart = now;
            inSecond = 0;
            unsaid = 0;
        }
        if (++inSecond > FAILURES_A_SECOND) {
            unsaid++;
        } else {
            logger.log(Level.WARNING, "the state machine has thrown at log entry " + sequence + ", " + by, failure);
        }
    }

    @Override
    public void onSlowEntry(SlowEntry entry) {
        Throwable there = new Throwable("the thread is here");
        there.setStackTrace(entry.stack().toArray(StackTraceElement[]::new));
        logger.log(Level.ERROR, entry.text(), there);
    }

    @Override
    public void onLogFull(Throwable reason) {
        logger.log(Level.ERROR, "commands are refused until there is room for the log: " + reason.getMessage());
    }

    @Override
    public void onLogHasRoom(long refused) {
        logger.log(Level.INFO, "the log has room again; refused meanwhile: {0}", text(refused));
    }

    @Override
    public void onTrimFailed(Throwable reason) {
        logger.log(
                Level.WARNING,
                "the log is not trimmed, and grows until this is mended: " + reason.getMessage(),
                reason);
    }

    @Override
    public void onTrimmedAgain() {
        logger.log(Level.INFO, "the log is trimmed again");
    }

    @Override
    public void onClock(Duration ahead) {
        if (ahead.isZero()) {
            logger.log(Level.INFO, "the clock of the machine agrees with the time of the log again");
        } else if (ahead.isNegative()) {
            logger.log(
                    Level.ERROR,
                    "the clock of the machine is {0} behind the log, whose time stands still until"
                            + " then: no timer fires. Set the clock right",
                    ahead.negated());
        } else {
            logger.log(
                    Level.ERROR,
                    "the clock of the machine has leapt {0} ahead, which the log does not follow. Set"
                            + " the clock right, or start the service again if it is right now",
                    ahead);
        }
    }

    @Override
    public void onSnapshotLoad(long sequence, long bytes) {
        logger.log(Level.INFO, "loading the snapshot of entry {0}, {1} bytes", text(sequence), text(bytes));
    }

    @Override
    public void onSnapshotPassedOver(long sequence, String folder) {
        logger.log(
                Level.WARNING,
                "the snapshot of entry " + sequence + " is damaged, or belongs to another log: the start goes on from"
                        + " an older one, or replays all of the log. `slipstream journal snapshots "
                        + ShellWord.of(folder) + "` shows them");
    }

    @Override
    public void onSkip(long sequence, int timers) {
        logger.log(
                Level.WARNING,
                "entry {0} is passed over, as it is marked; timers due with it that do not fire: {1}",
                text(sequence),
                text(timers));
    }

    @Override
    public void onLoad(long done, long most) {
        progress("loaded {0} of {1} bytes", done, most);
    }

    @Override
    public void onReplay(long done, long all) {
        progress("replayed {0} of {1} entries", done, all);
    }

    private void progress(String text, long done, long all) {
        long now = System.nanoTime();
        if (now - lastProgress > PROGRESS_NANOS) {
            lastProgress = now;
            logger.log(Level.INFO, text, text(done), text(all));
        }
    }

    /** A logger would write a number with the digits and groups of the machine. */
    private static String text(long number) {
        return Long.toString(number);
    }
}
