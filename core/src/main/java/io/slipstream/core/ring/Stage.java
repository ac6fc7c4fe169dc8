package io.slipstream.core.ring;

import io.slipstream.core.memory.Padding;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One consumer of a ring as a duty: it takes what its barrier lets through as one batch, hands it to its handler, and
 * passes it to the stages behind and to the publishers in one step.
 *
 * <p>Subclasses say how a batch is handled; a custom stage may do anything within {@link #handle}. One thread runs a
 * stage; its sequence may be read by any.
 */
public abstract class Stage extends Padding implements Duty {
    private static final int SHORT_BATCH_SLOTS = 2048;
    private static final int STREAK = 2;
    private static final int MOST_PAUSES = 256;
    private static final int PAUSES_PER_SLOT = 8;

    private final Ring ring;
    private final StageListener listener;
    private final Sequence sequence = new Sequence();
    private final int slot;
    private final int shortBatch;
    private SequenceBarrier barrier;
    private StageSettings settings;
    private Signal[] downstream = {};
    private int shortBatches;
    private int pauses;
    private int attempts;
    private long failedAt = -1;
    private long idleSinceNanos;
    private boolean wasIdle;
    private @Nullable Action pending;

    /**
     * Creates a stage.
     *
     * @param ring     where the events are
     * @param listener told of start, end, batches and time-outs
     * @param settings its name, its largest batch, and so on
     */
    protected Stage(Ring ring, StageListener listener, StageSettings settings) {
        this.ring = ring;
        this.listener = listener;
        this.settings = settings;
        this.slot = ring instanceof FrameRing ? Frame.ALIGNMENT : 1;
        this.shortBatch = Math.min(SHORT_BATCH_SLOTS * slot, ring.capacity() / 4);
        this.barrier = ring.newBarrier();
    }

    /**
     * Handles what is there from {@code first} to before {@code end}.
     *
     * @return the position up to which everything was handled
     * @throws Exception when handling has failed at the position that {@link #failed} was told
     */
    protected abstract long handle(long first, long end) throws Exception;

    /** Returns the name of the stage. */
    public final String name() {
        return settings.name();
    }

    /** Returns how far the stage has come. */
    public final Sequence sequence() {
        return sequence;
    }

    final StageSettings settings() {
        return settings;
    }

    final void settings(StageSettings newSettings) {
        settings = newSettings;
    }

    /** Returns the sequences that those behind this stage must watch, in the order in which they must read them. */
    List<Sequence> sequences() {
        return List.of(sequence);
    }

    /** Makes the stage stay behind {@code barrier} and wake {@code downstream} after each batch; before it runs. */
    final void connect(SequenceBarrier newBarrier, List<Signal> newDownstream) {
        barrier = newBarrier;
        downstream = newDownstream.toArray(Signal[]::new);
    }

    final SequenceBarrier barrier() {
        return barrier;
    }

    final Ring ring() {
        return ring;
    }

    @Override
    public final void onStart() throws Exception {
        listener.onStart();
    }

    @Override
    public final void onStop() throws Exception {
        listener.onShutdown();
    }

    /** Takes one batch; returns its size, at least 1 if there was anything, and 0 if there was nothing. */
    @Override
    public int work() throws Exception {
        long first = sequence.getPlain();
        int most = settings.maxBatch();
        letMoreCome();
        long end = barrier.available(first, most);
        if (end <= first) {
            return idle(first);
        }
        wasIdle = false;
        long depth = end - first;
        adaptPause(depth);
        end = Math.min(end, first + most);
        listener.onBatchStart(end - first, depth);
        run(first, end);
        return (int) Math.max(1, Math.min(end - first, Integer.MAX_VALUE));
    }

    /*
     * Batch after short batch, with never an empty look between them, means that the stage treads on its publisher's heels:
     * each look at the cursor, and what the processor prefetches behind the end of the batch, takes cache lines away from the
     * publisher. So the stage pauses before the next look, for longer and longer until batches are long enough. A look that
     * finds nothing, or little for so long a pause, ends that at once: then the publisher is no faster than the stage.
     */
    private void letMoreCome() {
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
    }

    private void adaptPause(long depth) {
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

    final void run(long first, long end) throws Exception {
        long done;
        try {
            done = handle(first, end);
        } catch (Throwable e) {
            done = recover(e, first, end);
        }
        pass(done);
        if (pending == Action.STOP) {
            throw stop("asked to stop at event " + (done - 1), null);
        }
        pending = null;
    }

    void pass(long done) {
        if (done != sequence.getPlain()) {
            sequence.setRelease(done);
            for (Signal signal : downstream) {
                signal.wake();
            }
            ring.roomMade();
        }
    }

    /** Notes the position at which the handler is about to throw; a subclass calls it and then throws. */
    protected final void failed(long at) {
        if (failedAt != at) {
            failedAt = at;
            attempts = 0;
        }
        attempts++;
    }

    /** Stops the stage after what {@link #handle} returns has been passed. */
    protected final void stopAfterThis() {
        pending = Action.STOP;
    }

    private long recover(Throwable thrown, long first, long end) {
        long at = failedAt;
        Action action = settings.onException().onException(name(), thrown, at, attempts);
        switch (action) {
            case CONTINUE -> {
                return afterFailed(at, end);
            }
            case RETRY -> {
                return at;
            }
            case REWIND -> {
                return first;
            }
            default -> {
                pass(at);
                throw stop("failed on event " + at + ": " + thrown, thrown);
            }
        }
    }

    /** Returns the position behind what has failed at {@code at} in a batch that ends at {@code end}. */
    protected long afterFailed(long at, long end) {
        return at + 1;
    }

    private StageStoppedException stop(String what, @Nullable Throwable cause) {
        String reason = "stage " + name() + " " + what;
        ring.fail(reason, cause);
        return new StageStoppedException(reason, cause);
    }

    final int idle(long first) throws Exception {
        shortBatches = 0;
        pauses = 0;
        long timeoutNanos = settings.timeoutNanos();
        if (timeoutNanos > 0) {
            long now = System.nanoTime();
            if (!wasIdle) {
                wasIdle = true;
                idleSinceNanos = now;
            } else if (now - idleSinceNanos >= timeoutNanos) {
                idleSinceNanos = now;
                listener.onTimeout(first);
            }
        }
        return 0;
    }
}
