package io.slipstream.testkit;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a program of {@link Redeployment} opens. It is closed last first when the program ends, or stays open when the
 * test wants to see that this is found.
 */
public final class Opened implements AutoCloseable {
    static final String STAYS = "slipstream.redeployment.stays.open";

    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Opens nothing yet. */
    public Opened() {}

    /** Adds what was just opened, and returns it. */
    public <T extends AutoCloseable> T add(T opened) {
        all.push(opened);
        return opened;
    }

    @Override
    public void close() {
        if (!Boolean.getBoolean(STAYS)) {
            while (!all.isEmpty()) {
                close(all.pop());
            }
        }
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            throw new IllegalStateException(each + " could not be closed", e);
        }
    }
}
