package io.slipstream.log;

import io.slipstream.log.event.ThreadNames;
import org.jspecify.annotations.Nullable;

/**
 * Which threads the back end has been told the names of. Without locks: a race lets a name be told twice, which does no
 * harm. Two threads may share a slot, and then tell their names whenever they take turns. A thread tells its name again
 * before as many others have told theirs as are kept.
 */
final class ThreadTable {
    private static final int SLOTS = 1024;
    private static final int AGAIN = ThreadNames.LIMIT / 2;

    private final @Nullable Known[] slots = new Known[SLOTS];

    private int told;

    private record Known(long id, String name, int told) {}

    boolean isUnknown(Thread thread) {
        Known known = slots[(int) thread.threadId() & SLOTS - 1];
        return known == null
                || known.id != thread.threadId()
                || known.name != thread.getName()
                || told - known.told > AGAIN;
    }

    void put(Thread thread, String name) {
        slots[(int) thread.threadId() & SLOTS - 1] = new Known(thread.threadId(), name, ++told);
    }
}
