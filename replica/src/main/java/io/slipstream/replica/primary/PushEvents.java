package io.slipstream.replica.primary;

import java.time.Duration;

/** Hears how pushing goes; on the thread that pushes. */
public interface PushEvents {
    /** The backup is there, and gets what follows {@code sequence}. */
    void onConnected(String backup, long sequence);

    /** The backup is not there any more; the push tries again by itself. */
    void onDisconnected(String backup, Throwable reason);

    /** The alert: the backup has been behind by more than was allowed, or away, for {@code since}. */
    void onLag(long records, Duration since);

    /** Returns events that go to the system's logger. */
    static PushEvents logged() {
        return new LoggedPushEvents();
    }
}
