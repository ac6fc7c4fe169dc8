package io.slipstream.cli.journal;

import io.slipstream.service.snapshot.Recovery;
import java.io.PrintWriter;
import java.util.Locale;

/** Says now and then how far a replay is, for those who wait. What it prints is no part of the answer. */
final class ReplayProgress implements Recovery.Progress {
    private static final long PAUSE_NANOS = 2_000_000_000;

    private final PrintWriter err;
    private final long pauseNanos;
    private long saidNanos = System.nanoTime();

    ReplayProgress(PrintWriter err) {
        this(err, PAUSE_NANOS);
    }

    ReplayProgress(PrintWriter err, long pauseNanos) {
        this.err = err;
        this.pauseNanos = pauseNanos;
    }

    @Override
    public void onReplay(long done, long all) {
        long now = System.nanoTime();
        if (now - saidNanos >= pauseNanos) {
            saidNanos = now;
            err.printf(Locale.ROOT, "replayed %,d of %,d entries (%d %%)%n", done, all, 100 * done / all);
            err.flush();
        }
    }

    @Override
    public void onSkip(long sequence, int timers) {
        err.printf(Locale.ROOT, "entry %,d is skipped, as it is marked%n", sequence);
        err.flush();
    }

    @Override
    public void onSnapshotPassedOver(long sequence) {
        err.printf(Locale.ROOT, "the snapshot of entry %,d is damaged, or belongs to another log%n", sequence);
        err.flush();
    }
}
