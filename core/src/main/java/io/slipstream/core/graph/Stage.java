package io.slipstream.core.graph;

import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.memory.Padding;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One consumer of a ring as a duty: it takes what its barrier lets through as one batch, hands it to its handler, and
 * passes it to the stages behind and to the publishers in one step.
 *
 * <p>Subclasses say how a batch is handled; a custom stage may do anything within {@link #handle}. One thread runs a
 * stage; its sequence may be read by any.
 *
 * <p>What a stage writes all the time lies in padded objects of its own, a {@link Sequence} and a {@link Pace}. Its
 * fields change only when its handler fails; a subclass that writes fields of its own with each event had better keep
 * them in a padded object too.
 */
public abstract class Stage extends Padding implements Duty {
    private final Ring ring;
    private final Slots slots;
    private final StageListener listener;
    private final Sequence sequence = new Sequence();
    private final Pace pace;
    private final Failures failures = new Failures();
    private RingBarrier barrier;
    private StageSettings settings;
    private boolean wakes;
    private boolean mayRest;
    private volatile Signal[] downstream = {};
    private boolean stopping;

    /**
     * Creates a stage.
     *
     * @param ring     where the events are
     * @param listener gets start, end, batches and time-outs
     * @param settings its name, its largest batch, and so on
     */
    protected Stage(Ring ring, StageListener listener, StageSettings settings) {
        this.ring = Objects.requireNonNull(ring, "ring");
        this.listener = Objects.requireNonNull(listener, "listener");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.slots = Slots.of(ring);
        this.pace = new Pace(slots.step(), ring.capacity());
        this.barrier = RingBarrier.of(ring.newBarrier());
    }

    /**
     * Handles what is there from {@code first} to before {@code end}. In a ring of events some of them may be
     * {@linkplain RingBuffer#isAborted aborted}; in a ring of frames those with a negative length are to be skipped.
     *
     * @return the position up to which everything was handled, from {@code first} to {@code end}; of frames it may lie
     *         behind the end, if the last one does. The stage stops if it returns any other
     * @throws Exception when handling has failed: at the position that {@link #failed} was told, or else at
     *                   {@code first}
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

    /**
     * Makes the stage stay behind {@code barrier}; before it runs.
     *
     * @param isWakeable whether those behind it may sleep until they are woken, also those that join later
     */
    final void connect(SequenceBarrier newBarrier, boolean isWakeable) {
        barrier = RingBarrier.of(newBarrier);
        wakes = isWakeable;
    }

    /** Says whether the thread of the stage may sleep while its handler gets nowhere; before it runs. */
    final void mayRest(boolean newMayRest) {
        mayRest = newMayRest;
    }

    /** Makes the stage wake {@code signals} after each batch from now on, also while it runs. */
    final void wake(List<Signal> signals) {
        downstream = signals.toArray(Signal[]::new);
    }

    final Slots slots() {
        return slots;
    }

    final RingBarrier barrier() {
        return barrier;
    }

    final Ring ring() {
        return ring;
    }

    @Override
    public final void onStart() {
        try {
            if (wakes) {
                ring.sequencer().beginSleepingStage();
            }
            listener.releaseWith(this::release);
            listener.onStart();
        } catch (Throwable e) {
            throw stop("failed to start: " + e, e);
        }
    }

    @Override
    public final void onStop() {
        try {
            listener.onShutdown();
        } catch (Throwable e) {
            throw stop("failed to shut down: " + e, e);
        } finally {
            ring.sequencer().endSleepingStage();
        }
    }

    /** Takes one batch; returns its size, at least 1 if there was anything, and 0 if there was nothing. */
    @Override
    public int work() throws Exception {
        long first = sequence.getPlain();
        int most = settings.maxBatch();
        pace.pause();
        long found = barrier.available(first, most);
        if (found <= first) {
            return idle(first);
        }
        pace.found(found - first);
        long end = Math.min(found, first + most);
        if (slots.isAnyKept(first, end)) {
            startBatch(end - first, barrier.endOfAll(first, most, found) - first);
        }
        run(first, end, slots.reach(end, found));
        return (int) Math.max(1, Math.min(end - first, Integer.MAX_VALUE));
    }

    /** Tells the listener of a batch, of which something was not aborted. */
    final void startBatch(long size, long depth) {
        try {
            listener.onBatchStart(size, depth);
        } catch (Throwable e) {
            throw stop("failed at the start of a batch: " + e, e);
        }
    }

    /** @param last the last position to which what begins before {@code end} may reach */
    final void run(long first, long end, long last) {
        pace.busy(last);
        long done;
        try {
            done = handle(first, end);
        } catch (Throwable e) {
            done = recover(e, first, end);
        }
        if (done >= first && done < sequence.getPlain()) {
            // A part of the batch was released, and is not handed over again.
            done = sequence.getPlain();
        }
        if (done < first || done > last) {
            throw stop(
                    "returned " + done + " as the position up to which it has handled what is there from " + first
                            + " to " + last
                            + "; it must be within that range",
                    null);
        }
        pass(done);
        if (stopping) {
            throw stop("asked to stop " + slots.lastBefore(done), null);
        }
        if (done == first) {
            pace.stuck(mayRest);
        } else {
            pace.moved();
        }
    }

    void pass(long done) {
        if (done != sequence.getPlain()) {
            sequence.setRelease(done);
            if (wakes) {
                VarHandle.fullFence();
                Signal.wakeAllFenced(downstream);
            }
            ring.roomMade();
        }
    }

    /** Tells those behind that the sequence was moved by a thread that need not have seen the graph start. */
    final void announceFromOutside() {
        VarHandle.fullFence();
        Signal.wakeAllFenced(downstream);
        ring.roomMade();
    }

    /** Passes a part of the batch that the handler is at. */
    void release(long position) {
        if (position < sequence.getPlain() || position > pace.batchEnd) {
            throw new IllegalArgumentException("stage " + name() + " cannot release what is before " + position
                    + ": it is at a batch from " + sequence + " to " + pace.batchEnd);
        }
        pass(position);
    }

    /** Notes the position at which the handler has failed; a subclass calls it and then throws. */
    protected final void failed(long at) {
        failures.tell(at);
    }

    /** Stops the stage after what {@link #handle} returns has been passed. */
    protected final void stopAfterThis() {
        stopping = true;
    }

    private long recover(Throwable thrown, long first, long end) {
        long at = failures.within(first, end);
        switch (whatNow(thrown, at)) {
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
                pass(Math.max(at, sequence.getPlain()));
                throw stop(failedOn(at, thrown), thrown);
            }
        }
    }

    private Action whatNow(Throwable thrown, long at) {
        try {
            return Objects.requireNonNull(
                    settings.onException().onException(name(), thrown, at, failures.attempts()), "it returned null");
        } catch (Throwable e) {
            if (e != thrown) {
                thrown.addSuppressed(e);
            }
            pass(Math.max(at, sequence.getPlain()));
            throw stop(failedOn(at, thrown) + "; its exception policy failed too: " + e, thrown);
        }
    }

    private String failedOn(long at, Throwable thrown) {
        return "failed on " + slots.name(at) + ": " + thrown;
    }

    /** Returns the position behind what has failed at {@code at} in a batch that ends at {@code end}. */
    protected long afterFailed(long at, long end) {
        return slots.behind(at);
    }

    private StageStoppedException stop(String what, @Nullable Throwable cause) {
        String reason = "stage " + name() + " " + what;
        ring.fail(reason, cause);
        return new StageStoppedException(reason, cause);
    }

    final int idle(long first) {
        pace.foundNothing();
        long timeoutNanos = settings.timeoutNanos();
        if (timeoutNanos > 0 && pace.isTimedOut(timeoutNanos)) {
            tellOfTimeout(first);
        }
        return 0;
    }

    private void tellOfTimeout(long first) {
        try {
            listener.onTimeout(first);
        } catch (Throwable e) {
            throw stop("failed on a time-out: " + e, e);
        }
    }

    /** Where the handler has failed last, and how often in a row there. */
    private static final class Failures {
        private long at = -1;
        private int attempts;
        private boolean isTold;

        /** Notes that the handler has failed at {@code position}. */
        void tell(long position) {
            isTold = true;
            if (at != position) {
                at = position;
                attempts = 0;
            }
            attempts++;
        }

        /** Returns where in the batch the handler has failed: where it was told, or else at the first position. */
        long within(long first, long end) {
            if (!isTold || at < first || at >= end) {
                tell(first);
            }
            isTold = false;
            return at;
        }

        /** Returns how often the handler has failed there, without having got further. */
        int attempts() {
            return attempts;
        }
    }
}
