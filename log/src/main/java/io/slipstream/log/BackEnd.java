package io.slipstream.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Duty;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Level;
import io.slipstream.log.event.Sites;
import io.slipstream.log.output.Losses;
import io.slipstream.log.output.Output;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Takes whatever has arrived as one run and hands it to the output. What was lost is told in the log itself. */
final class BackEnd implements Duty {
    private static final int RUN_BYTES = 1 << 17;
    private static final int NOTICE_BYTES = 1 << 11;
    private static final int REASON_CHARACTERS = 400;
    private static final long SECOND = 1_000_000_000;
    private static final String LOGGER = "io.slipstream.log";

    private final FrameRing ring;
    private final FramePoller poller;
    private final Output output;
    private final LogWriter writer;
    private final Losses losses;
    private final LogClock clock;
    private final Runnable everySecond;
    private final Sites sites;
    private final Progress progress;
    private final MemorySegment notice = Arena.ofAuto().allocate(NOTICE_BYTES, 16);
    private final AtomicLong noticesWanted = new AtomicLong();
    private volatile long noticesDone;
    private volatile State state = State.NEW;
    private long droppedTold;
    private long lostTold;
    private boolean overflowTold;
    private boolean isNamed;
    private long nextTick;

    private enum State {
        NEW,
        RUNNING,
        ENDED
    }

    /** Told of how far everything has been written. */
    @FunctionalInterface
    interface Progress {
        void written(long position);
    }

    BackEnd(
            FrameRing ring,
            Output output,
            LogWriter writer,
            Losses losses,
            LogClock clock,
            Sites sites,
            Progress progress,
            Runnable everySecond) {
        this.ring = ring;
        this.poller = ring.newPoller();
        this.output = output;
        this.writer = writer;
        this.losses = losses;
        this.clock = clock;
        this.sites = sites;
        this.progress = progress;
        this.everySecond = everySecond;
    }

    /** Asks that losses are told at once; {@link #noticesDone} reaches what is returned when that was done. */
    long wantNotice() {
        return noticesWanted.incrementAndGet();
    }

    long noticesDone() {
        return noticesDone;
    }

    /** Whether a worker has begun with it and not ended. */
    boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Whether nothing will be written any more. */
    boolean hasEnded() {
        return state == State.ENDED;
    }

    @Override
    public void onStart() {
        state = State.RUNNING;
        writer.backEnd(Thread.currentThread());
    }

    @Override
    public int work() {
        long wanted = noticesWanted.get();
        int bytes = poller.peekRun(RUN_BYTES);
        if (bytes == 0 && writer.closeLeft(poller.sequence().getAcquire())) {
            bytes = poller.peekRun(RUN_BYTES);
        }
        if (bytes > 0) {
            output.write(ring.memory(), poller.runOffset(), bytes);
            poller.release(bytes);
            writer.progressed();
        }
        progress.written(poller.sequence().getAcquire());
        long now = System.nanoTime();
        boolean isDue = now - nextTick >= 0;
        if (isDue || wanted > noticesDone) {
            nextTick = isDue ? now + SECOND : nextTick;
            lookAfterLog(isDue);
        }
        noticesDone = wanted;
        return bytes;
    }

    /** Whatever is thrown, such as for want of memory, the messages that come later are written. */
    private void lookAfterLog(boolean isDue) {
        try {
            if (isDue) {
                clock.calibrate();
                output.tick();
            }
            tellLosses();
            if (isDue) {
                everySecond.run();
            }
        } catch (RuntimeException | Error e) {
            losses.fail(0, "the log could not look after itself", e);
        }
    }

    /** Tells what was dropped or lost since it was told last; what cannot be told now is told later. */
    private void tellLosses() {
        long dropped = losses.dropped();
        if (dropped > droppedTold
                && tell(
                        "{} messages were dropped: {}",
                        dropped - droppedTold,
                        "the ring was full, the log closed, or an argument changed meanwhile")) {
            droppedTold = dropped;
        }
        long lost = losses.lost();
        if (lost > lostTold && tell("{} messages were lost: {}", lost - lostTold, losses.reason())) {
            lostTold = lost;
        }
        String note = losses.takeNote();
        if (note != null && !tell("{}{}", "", note)) {
            losses.note(note);
        }
        if (!overflowTold && sites.isFull()) {
            overflowTold = tell(
                    "no more than {} statements get a number, {}",
                    Sites.LIMIT,
                    "or fewer of one logger and level; further ones are logged as texts, which takes longer");
        }
    }

    private boolean tell(String message, Object count, String reason) {
        String why = reason.substring(0, Math.min(reason.length(), REASON_CHARACTERS));
        TextMessage text = new TextMessage(
                LOGGER,
                message,
                new @Nullable Object[] {count, why},
                2,
                NOTICE_BYTES - EventLayout.ARGUMENTS_OFFSET,
                NOTICE_BYTES);
        if (!isNamed) {
            Object name = Arguments.prepared(Thread.currentThread().getName());
            int size = Arguments.size(name);
            long at = begin(EventLayout.THREAD_NAME_SITE, size);
            Arguments.write(notice, at, at + size, name, 0);
            isNamed = write(size);
        }
        text.write(notice, begin(EventLayout.textSite(Level.WARN.ordinal()), text.size()));
        return write(text.size());
    }

    /** Begins an event of this thread's own; returns where its arguments go, of {@code size} bytes. */
    private long begin(int site, int size) {
        int length = EventLayout.ARGUMENTS_OFFSET + size;
        EventLayout.begin(notice, 0, length, clock.nanos(), site, (int)
                Thread.currentThread().threadId());
        Frame.length(notice, 0, length);
        Frame.tag(notice, 0, 0);
        return EventLayout.ARGUMENTS_OFFSET;
    }

    /** Hands the event to the output; returns whether it was written. */
    private boolean write(int size) {
        EventLayout.stamp(notice, 0, poller.sequence().getAcquire());
        long lostBefore = losses.lost();
        output.write(notice, 0, Frame.align(EventLayout.ARGUMENTS_OFFSET + size));
        long lostNow = losses.lost() - lostBefore;
        losses.takeBack(lostNow);
        return lostNow == 0;
    }

    @Override
    public void onStop() {
        nextTick = System.nanoTime() + SECOND;
        while (work() > 0) {
            nextTick = System.nanoTime() + SECOND;
        }
        tellLosses();
        try {
            output.close();
            poller.close();
        } finally {
            state = State.ENDED;
        }
    }
}
