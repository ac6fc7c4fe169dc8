package io.slipstream.replica.primary;

import java.time.Duration;

/** Tells the system's logger. */
final class LoggedPushEvents implements PushEvents {
    private static final System.Logger LOG = System.getLogger("io.slipstream.replica");

    @Override
    public void onConnected(String backup, long sequence) {
        LOG.log(
                System.Logger.Level.INFO,
                "pushing to the backup site at " + backup + " from record " + (sequence + 1) + " on");
    }

    @Override
    public void onDisconnected(String backup, Throwable reason) {
        LOG.log(System.Logger.Level.WARNING, "the backup site at " + backup + " gets nothing: " + reason.getMessage());
    }

    @Override
    public void onLag(long records, Duration since) {
        LOG.log(
                System.Logger.Level.WARNING,
                "the backup site is " + records + " records behind, for " + since.toMillis() + " ms now");
    }
}
