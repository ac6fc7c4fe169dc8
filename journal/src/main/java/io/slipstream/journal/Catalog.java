package io.slipstream.journal;

import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.storage.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The segments of an open journal, oldest first, and their indexes. The owner changes it; any thread looks things up.
 */
final class Catalog {
    private final Storage storage;
    private volatile State state;

    /** What belongs together: the segments, and the index of the last of them, which is being written. */
    private record State(List<SegmentHeader> segments, SegmentIndex live) {}

    /** Begins with the segments that are there, and what is known of the last of them. */
    Catalog(Storage storage, List<SegmentHeader> segments, SegmentIndex live) {
        this.storage = storage;
        this.state = new State(segments, live);
    }

    List<SegmentHeader> segments() {
        return state.segments;
    }

    SegmentHeader oldest() {
        return state.segments.getFirst();
    }

    /** Returns the index of the segment that is being written. */
    SegmentIndex liveIndex() {
        return state.live;
    }

    /** Adds a segment, which is the one that is written from now on. */
    void add(SegmentHeader header) {
        List<SegmentHeader> longer = new ArrayList<>(state.segments);
        longer.add(header);
        state = new State(List.copyOf(longer), new SegmentIndex());
    }

    /** Returns the segment behind the oldest one, or null if there is none. */
    @Nullable
    SegmentHeader second() {
        List<SegmentHeader> segments = state.segments;
        return segments.size() < 2 ? null : segments.get(1);
    }

    /** Removes the oldest segment, which is not the last one, and returns it. */
    SegmentHeader removeOldest() {
        List<SegmentHeader> segments = state.segments;
        state = new State(List.copyOf(segments.subList(1, segments.size())), state.live);
        return segments.getFirst();
    }

    /** Takes back that {@link #removeOldest} has removed this one: its file could not be. */
    void putBack(SegmentHeader oldest) {
        List<SegmentHeader> longer = new ArrayList<>(state.segments);
        longer.addFirst(oldest);
        state = new State(List.copyOf(longer), state.live);
    }

    /**
     * Returns the next segment behind the one with this number, or null; those in between held nothing and were
     * trimmed.
     */
    @Nullable
    SegmentHeader following(long number) {
        List<SegmentHeader> segments = state.segments;
        int index = firstWhere(segments, header -> header.number() > number);
        return index < segments.size() ? segments.get(index) : null;
    }

    /** Returns the segment that holds, or will hold, {@code sequence}. */
    SegmentHeader holding(long sequence) {
        List<SegmentHeader> segments = state.segments;
        return segments.get(Math.max(0, firstWhere(segments, header -> header.baseSequence() > sequence) - 1));
    }

    /**
     * Returns how many bytes of the segments there are from {@code sequence} on, or from the mark before it.
     *
     * @param writtenInLast how many bytes of the last segment are written
     */
    long bytesFrom(long sequence, long writtenInLast) {
        List<SegmentHeader> segments = state.segments;
        long bytes = 0;
        for (int at = segments.size() - 1; at >= 0; at--) {
            SegmentHeader header = segments.get(at);
            boolean holdsIt = at == 0 || header.baseSequence() <= sequence;
            boolean isLast = at == segments.size() - 1;
            SegmentIndex index = isLast && !holdsIt ? null : index(header);
            SegmentIndex.End end = index == null ? null : index.end();
            bytes += isLast ? writtenInLast : end == null ? header.bytes() : end.runsEnd();
            if (holdsIt) {
                SegmentIndex.Entry entry = index == null ? null : index.floorOfSequence(sequence);
                return entry == null ? bytes : bytes - entry.offset();
            }
        }
        return bytes;
    }

    long sequenceAt(long timeMillis) {
        List<SegmentHeader> segments = state.segments;
        // One behind the other: times go back where a clock that was ahead was put right.
        int at = segments.size() - 1;
        while (at > 0 && segments.get(at).timeMillis() >= timeMillis) {
            at--;
        }
        SegmentHeader header = segments.get(at);
        SegmentIndex index = index(header);
        SegmentIndex.Entry entry = index == null ? null : index.lowerOfTime(timeMillis);
        return entry == null ? header.baseSequence() : entry.sequence();
    }

    /**
     * Returns the index of the first segment of which {@code test} is true, as it then is of all behind; or their
     * number.
     */
    private static int firstWhere(List<SegmentHeader> segments, Predicate<SegmentHeader> test) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (test.test(segments.get(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns the index of a segment, or null if there is none. */
    @Nullable
    SegmentIndex index(SegmentHeader header) {
        State now = state;
        return header.equals(now.segments.getLast()) ? now.live : SegmentIndex.load(storage, header);
    }
}
