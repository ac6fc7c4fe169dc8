package io.slipstream.ipc.sleep;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Ends the sleep of subscribers in other processes. As long as nobody has said that it may sleep, a publication only
 * reads a word that nobody writes.
 *
 * <p>The sleeper arms its word, looks once more, and sleeps in the kernel for as long as the word is armed. The
 * publisher publishes, and then disarms. Both have a full fence in between, so either the sleeper sees the message, or
 * the publisher the armed word.
 */
public final class Bell {
    private final Region region;
    private final long slots;
    private final @Nullable Futex futex;
    private final Runnable onSleeper;

    /**
     * Creates one.
     *
     * @param onSleeper run when a sleeper was found, for those that do not sleep on the futex
     */
    public Bell(Region region, int slots, @Nullable Futex futex, Runnable onSleeper) {
        this.region = region;
        this.slots = (1L << slots) - 1;
        this.futex = futex;
        this.onSleeper = onSleeper;
    }

    public void ring() {
        if (region.getLongOpaque(Layout.SLEEPERS_AT) != 0) {
            wake();
        }
    }

    private void wake() {
        VarHandle.fullFence();
        long sleepers = region.getLongOpaque(Layout.SLEEPERS_AT) & slots;
        for (long left = sleepers; left != 0; left &= left - 1) {
            long armed = Layout.slot(Long.numberOfTrailingZeros(left)) + Layout.ARMED_AT;
            if (region.getLongOpaque(armed) != 0 && region.compareAndSetLong(armed, 1, 0)) {
                if (futex != null) {
                    futex.wake(region.segment(), armed);
                }
                onSleeper.run();
            }
        }
    }
}
