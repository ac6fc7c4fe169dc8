package io.slipstream.journal.segment;

import io.slipstream.core.thread.Signal;
import io.slipstream.journal.storage.StorageFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * Reads and proves the runs that a reader comes to next, in a thread of its own, while the reader goes through those it has.
 *
 * <pre>
 *            ask             begin              done
 *   IDLE ----------&gt; ASKED ----------&gt; FILLING -------&gt; FILLED
 *    ^    reader       |      helper            helper     |
 *    +-----------------+-----------------------------------+
 *       take: reads for itself        take: swaps windows
 * </pre>
 *
 * <p>Whoever has the state in hand has the window: the helper while FILLING, the reader otherwise. A reader that comes before the helper
 * has begun takes its question back and reads for itself, so that it never waits for a thread that has no processor. The thread begins
 * with the first question and ends when none has come for a second.
 */
public final class ReadAhead implements AutoCloseable {
    private static final int IDLE = 0;
    private static final int ASKED = 1;
    private static final int FILLING = 2;
    private static final int FILLED = 3;
    private static final int SPINS = 1000;
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final VarHandle STATE = fieldVarHandle(lookup(), "state", VarHandle.class, ReadAhead.class, int.class);

    private final int windowBytes;
    private final Signal signal = new Signal();
    private @Nullable Thread helper;
    private @Nullable Window window;
    private @Nullable StorageFile file;
    private @Nullable RunCheck runs;
    private long from;
    private long provenEnd;
    private int state;
    private volatile boolean closed;

    /** Creates one whose window has {@code windowBytes}; nothing is allocated or started before the first question. */
    public ReadAhead(int windowBytes) {
        this.windowBytes = windowBytes;
    }

    /** Asks for the runs from {@code position} on, unless something was asked for already; for the reader. */
    void ask(StorageFile target, SegmentIndex index, long position) {
        if ((int) STATE.getAcquire(this) == IDLE) {
            pose(target, index, position);
            if (helper == null || !helper.isAlive()) {
                closed = false;
                helper = Thread.ofPlatform().daemon().name("journal-read-ahead").start(this::serveAll);
            }
            signal.wake();
        }
    }

    /**
     * Gives the window with the proven runs from {@code position} on in exchange for {@code mine}; or returns {@code mine} if there is none,
     * and the reader has to read for itself. For the reader.
     */
    Window take(StorageFile target, long position, Window mine) {
        if (!settle() || file != target || from != position || provenEnd <= position || window == null) {
            return mine;
        }
        Window filled = window;
        window = mine;
        return filled;
    }

    /** Returns where the proven runs end in the window that was taken last. */
    long provenEnd() {
        return provenEnd;
    }

    /** Takes a question back, or waits until it is answered: then the file may be closed. Returns whether there is an answer. */
    public boolean settle() {
        if ((int) STATE.getAcquire(this) == IDLE || STATE.compareAndSet(this, ASKED, IDLE)) {
            return false;
        }
        for (int spins = 0; (int) STATE.getAcquire(this) != FILLED; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        STATE.setRelease(this, IDLE);
        return true;
    }

    /** Ends the thread, once it has answered; a later question begins another one. */
    @Override
    public void close() {
        settle();
        closed = true;
        signal.wake();
    }

    /** Notes the question, for whoever serves. */
    void pose(StorageFile target, SegmentIndex index, long position) {
        file = target;
        runs = new RunCheck(index);
        from = position;
        provenEnd = 0;
        if (window == null) {
            window = new Window(windowBytes);
        }
        STATE.setRelease(this, ASKED);
    }

    /** Answers the question, if there is one; for the helper. */
    boolean serve() {
        if (!STATE.compareAndSet(this, ASKED, FILLING)) {
            return false;
        }
        fill();
        STATE.setRelease(this, FILLED);
        return true;
    }

    /** Reads as much as fits, and proves the runs that are whole in it. */
    private void fill() {
        StorageFile target = file;
        RunCheck check = runs;
        Window filled = window;
        if (target == null || check == null || filled == null) {
            return;
        }
        try {
            filled.readAll(target, from);
            check.at(from);
            while (check.proveLoaded(filled)) {
                provenEnd = check.offset();
            }
        } catch (IOException | RuntimeException e) {
            // The reader will read for itself, and then it is told what is wrong.
            provenEnd = 0;
        }
    }

    private void serveAll() {
        boolean rested = false;
        while (!closed && !rested) {
            if (!serve()) {
                signal.arm();
                if (closed || (int) STATE.getAcquire(this) == ASKED) {
                    signal.disarm();
                } else {
                    long begin = System.nanoTime();
                    signal.sleep(REST_NANOS);
                    rested = System.nanoTime() - begin >= REST_NANOS;
                }
            }
        }
    }
}
