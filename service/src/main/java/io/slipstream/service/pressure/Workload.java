package io.slipstream.service.pressure;

import io.slipstream.core.sequence.Sequence;

/**
 * How much work waits: the sum of what each message that waits is likely to take. Of those that were done it knows only
 * how many, since they are done in order. For one thread, but for {@link #nanosSeen}; nothing here allocates.
 *
 * <pre>
 *   mark:     3          9             21          added
 *   work:     6 ms      14 ms          40 ms       44 ms
 *                  ▲ done: 5, so that 44 - 6 = 38 ms wait at most
 * </pre>
 *
 * There is a mark behind each message while few wait, and behind a thirty-second part of them while many do: what waits
 * is overestimated by as much.
 */
public final class Workload {
    private static final int MARKS = 1024;
    private static final int MASK = MARKS - 1;
    private static final int SHARE = 32;

    private final long[] counts = new long[MARKS];
    private final long[] works = new long[MARKS];
    private int first;
    private int end;
    private long done;

    /* Others look at these. */
    private final Sequence last = new Sequence();
    private final Sequence work = new Sequence();
    private final Sequence doneWork = new Sequence();

    /** Creates one in which nothing waits. */
    public Workload() {}

    /** One more waits, and is likely to take that long. */
    public void add(long nanos) {
        add(last.getPlain() + 1, nanos);
    }

    /**
     * One more waits, and is likely to take that long.
     *
     * @param place its number among all that wait for the same, whoever has added them; about that, where several
     *              threads add at a time. It grows
     */
    public void add(long place, long nanos) {
        work.setRelease(work.getPlain() + nanos);
        last.setRelease(place);
        long lastMark = end == first ? done : counts[end - 1 & MASK];
        if (place - lastMark > (place - done) / SHARE && end - first < MARKS) {
            counts[end & MASK] = place;
            works[end & MASK] = work.getPlain();
            end++;
        }
    }

    /** So many were done, of all that were ever added. */
    public void done(long total) {
        done = total;
        long known = doneWork.getPlain();
        while (first != end && counts[first & MASK] - total <= 0) {
            known = works[first & MASK];
            first++;
        }
        doneWork.setRelease(total - last.getPlain() >= 0 ? work.getPlain() : known);
    }

    /** Returns how many wait. */
    public long waiting() {
        return last.getPlain() - done;
    }

    /** Returns how long those that wait are likely to take in nanoseconds. */
    public long nanos() {
        return work.getPlain() - doneWork.getPlain();
    }

    /** As {@link #nanos}, for any thread that knows how many were done. */
    public long nanosSeen(long total) {
        if (total - last.getAcquire() >= 0) {
            return 0;
        }
        // First, so that it is never less than nothing.
        long known = doneWork.getAcquire();
        return work.getAcquire() - known;
    }
}
