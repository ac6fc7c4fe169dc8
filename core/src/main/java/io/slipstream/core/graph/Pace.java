package io.slipstream.core.graph;

import io.slipstream.core.memory.Padding;
import java.util.concurrent.locks.LockSupport;

/**
 * How long a stage pauses before it looks for its next batch.
 *
 * <p>Batch after short batch, with never an empty look between them, means that the stage treads on its publisher's
 * heels: each look at the cursor, and what the processor prefetches behind the end of the batch, takes cache lines away
 * from the publisher. So the stage pauses before the next look, for longer and longer until batches are long enough. A
 * look that finds nothing, or little for so long a pause, ends that at once: then the publisher is no faster than the
 * stage.
 */
final class Pace extends PacePadding {
    private static final int SHORT_BATCH_SLOTS = 2048;
    private static final int STREAK = 2;
    private static final int MOST_PAUSES = 256;
    private static final int PAUSES_PER_SLOT = 8;
    private static final int STUCK_SPINS = 1000;
    private static final long FIRST_REST_NANOS = 1_000;
    private static final int MOST_STUCK_ROUNDS = STUCK_SPINS + 10;

    /**
     * @param slot     bytes or events that a position is counted in
     * @param capacity of the ring
     */
    Pace(int slot, int capacity) {
        super(slot, Math.min(SHORT_BATCH_SLOTS * slot, capacity / 4));
    }

    /** Lets more come. A virtual thread does not, as it must not keep its carrier from others. */
    void pause() {
        if (pauses > 0 && !Thread.currentThread().isVirtual()) {
            for (int i = 0; i < pauses; i++) {
                Thread.onSpinWait();
            }
        }
    }

    /** Called when {@code depth} positions were found. */
    void found(long depth) {
        if (depth >= shortBatch) {
            shortBatches = 0;
            pauses >>= depth >= 4L * shortBatch ? 1 : 0;
        } else if (depth * PAUSES_PER_SLOT < (long) pauses * slot) {
            shortBatches = 0;
            pauses = 0;
        } else if (++shortBatches > STREAK) {
            pauses = Math.min(2 * pauses + 1, MOST_PAUSES);
        }
    }

    /** Called when something is to be done, up to {@code end}. */
    void busy(long end) {
        isIdle = false;
        batchEnd = end;
    }

    /**
     * Called when the handler got nowhere with what was found. Spins for a moment and then, if it may, sleeps for up to
     * a millisecond. On a virtual thread it sleeps at once: what the handler waits for may need the carrier, which one
     * that only yields can get again and again.
     */
    void stuck(boolean mayRest) {
        stuckRounds = Math.min(stuckRounds + 1, MOST_STUCK_ROUNDS);
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(FIRST_REST_NANOS);
        } else if (mayRest && stuckRounds > STUCK_SPINS) {
            LockSupport.parkNanos(FIRST_REST_NANOS << (stuckRounds - STUCK_SPINS));
        } else {
            Thread.onSpinWait();
        }
    }

    /** Called when the handler got further. */
    void moved() {
        if (stuckRounds > 0) {
            stuckRounds = 0;
        }
    }

    /** Called when nothing was found. */
    void foundNothing() {
        shortBatches = 0;
        pauses = 0;
    }

    /**
     * Called when nothing was found; returns whether that has been so for {@code timeoutNanos}, or for as long once
     * more.
     */
    boolean isTimedOut(long timeoutNanos) {
        long now = System.nanoTime();
        if (!isIdle) {
            isIdle = true;
            idleSinceNanos = now;
            return false;
        }
        if (now - idleSinceNanos < timeoutNanos) {
            return false;
        }
        idleSinceNanos = now;
        return true;
    }
}

/** What a stage writes with every look and every batch, between the paddings. */
abstract sealed class PaceState extends Padding permits PacePadding {
    final int slot;
    final int shortBatch;
    int shortBatches;
    int pauses;
    boolean isIdle;
    int stuckRounds;
    long batchEnd;
    long idleSinceNanos;

    PaceState(int slot, int shortBatch) {
        this.slot = slot;
        this.shortBatch = shortBatch;
    }
}

/** The padding behind these fields. */
@SuppressWarnings("unused")
abstract sealed class PacePadding extends PaceState permits Pace {
    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

    PacePadding(int slot, int shortBatch) {
        super(slot, shortBatch);
    }
}
