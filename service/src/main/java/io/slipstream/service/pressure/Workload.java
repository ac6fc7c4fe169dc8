package io.slipstream.service.pressure;

/**
 * How much work waits: the sum of what each message that waits is likely to take. Of those that were done it knows only
 * how many, since they are done in order. One thread; nothing here allocates.
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
    private long count;
    private long work;
    private long done;
    private long doneWork;

    /** Creates one in which nothing waits. */
    public Workload() {}

    /** One more waits, and is likely to take that long. */
    public void add(long nanos) {
        count++;
        work += nanos;
        long lastMark = end == first ? done : counts[end - 1 & MASK];
        if (count - lastMark > (count - done) / SHARE && end - first < MARKS) {
            counts[end & MASK] = count;
            works[end & MASK] = work;
            end++;
        }
    }

    /** So many were done, of all that were ever added. */
    public void done(long total) {
        done = total;
        while (first != end && counts[first & MASK] - total <= 0) {
            doneWork = works[first & MASK];
            first++;
        }
        if (total == count) {
            doneWork = work;
        }
    }

    /** Returns how many wait. */
    public long waiting() {
        return count - done;
    }

    /** Returns how long those that wait are likely to take in nanoseconds. */
    public long nanos() {
        return work - doneWork;
    }
}
