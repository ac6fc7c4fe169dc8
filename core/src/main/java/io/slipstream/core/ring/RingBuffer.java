package io.slipstream.core.ring;

import static io.slipstream.core.sequencer.MultiSequencer.LEFT;
import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.Aborts;
import io.slipstream.core.sequencer.Entries;
import io.slipstream.core.sequencer.MultiSequencer;
import io.slipstream.core.sequencer.Sequencer;
import io.slipstream.core.sequencer.SingleSequencer;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A ring of events that are created once and used for ever.
 *
 * <p>A publisher claims one or several events side by side, fills them and publishes or aborts them. Consumers see
 * events in the order of the claims. With one publisher, claims are also published in their order; with many, in any
 * order. Nobody claims before there is room, and a claim that fails has changed nothing.
 *
 * <pre>{@code
 * long sequence = ring.claim();
 * ring.get(sequence).price = price;
 * ring.publish(sequence);
 * }</pre>
 *
 * <p>Claims, publications and aborts of a ring for one publisher belong to one thread at a time; everything else may be
 * called by any thread. Nothing here allocates, except the first abort and the exceptions of a ring that has failed.
 *
 * <p>A claim that is never published nor aborted holds up consumers, and before a lap is over every publisher, also
 * where nobody consumes. Publishing what is not claimed, or twice, is an error that only assertions ({@code -ea})
 * report.
 *
 * <p>A thread may run out of stack at any call. {@code publishEvent} and {@code publishEvents} of a ring for many
 * publishers end their claim also then: it is skipped, or was published just before, and consumers that sleep see what
 * is behind it with the next publication. Who claims and publishes in calls of their own aborts in a finally block; a
 * claim that has no stack left for that stays open. A ring for one publisher must not be used by a thread that may run
 * out of stack inside a call of it.
 *
 * @param <E> type of the events
 */
public final class RingBuffer<E> extends RingBufferState.Padded {
    /*
     * Events made one after the other lie side by side in memory. Neighbours in the ring are taken from so many runs of
     * them, so that successive stores meet different cache lines, of which the processor gets several at a time.
     */
    private static final int RUNS = 8;
    private static final VarHandle ABORTS =
            fieldVarHandle(lookup(), "aborts", VarHandle.class, RingBufferState.class, Aborts.class);

    private RingBuffer(
            Sequencer sequencer, Supplier<? extends E> factory, WaitStrategy publishersWait, WhenFull whenFull) {
        super(sequencer, publishersWait, whenFull);
        Objects.requireNonNull(factory, "factory");
        if (many != null) {
            many.closeBy(sequence -> marks().mark(sequence, 1));
        }
        int run = entries.length >= RUNS * RUNS ? entries.length / RUNS : entries.length;
        for (int i = 0; i < entries.length; i++) {
            entries[i % run * (entries.length / run) + i / run] =
                    Objects.requireNonNull(factory.get(), "the factory returned null for event " + i);
        }
    }

    /** Creates a ring for one publishing thread that waits with {@link WaitStrategy#parking} when it is full. */
    public static <E> RingBuffer<E> forOnePublisher(Supplier<? extends E> factory, int capacity) {
        return forOnePublisher(factory, capacity, WaitStrategy.parking(), WhenFull.WAIT);
    }

    /**
     * Creates a ring for any number of publishing threads that wait with {@link WaitStrategy#parking} when it is full.
     */
    public static <E> RingBuffer<E> forManyPublishers(Supplier<? extends E> factory, int capacity) {
        return forManyPublishers(factory, capacity, WaitStrategy.parking(), WhenFull.WAIT);
    }

    /**
     * Creates a ring for one publishing thread.
     *
     * @param factory        makes the events
     * @param capacity       in events, rounded up to a power of two, from 1 to 2^30
     * @param publishersWait how a publisher waits for room
     * @param whenFull       what {@link #publishEvent} does when there is no room
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public static <E> RingBuffer<E> forOnePublisher(
            Supplier<? extends E> factory, int capacity, WaitStrategy publishersWait, WhenFull whenFull) {
        return new RingBuffer<>(new SingleSequencer(powerOfTwo(capacity)), factory, publishersWait, whenFull);
    }

    /** Creates a ring for any number of publishing threads; the rest is as in {@link #forOnePublisher}. */
    public static <E> RingBuffer<E> forManyPublishers(
            Supplier<? extends E> factory, int capacity, WaitStrategy publishersWait, WhenFull whenFull) {
        return new RingBuffer<>(new MultiSequencer(powerOfTwo(capacity)), factory, publishersWait, whenFull);
    }

    /**
     * Returns the event at {@code sequence}: for its claimer until it is published, for consumers until they pass it.
     */
    public E get(long sequence) {
        return Entries.get(entries, sequence);
    }

    /**
     * For the stages of this library.
     *
     * @hidden
     */
    @SuppressWarnings("exports")
    public Entries entries() {
        return new Entries(entries);
    }

    /**
     * Claims one event if there is room; returns its sequence or {@link #NO_ROOM}.
     *
     * @throws RingFailedException if a consumer has stopped
     */
    public long tryClaim() {
        long sequence = sequencer.tryClaim(1);
        return sequence >= 0 ? sequence : refuse();
    }

    /**
     * Claims {@code count} events side by side if there is room for all; returns the first sequence or
     * {@link #NO_ROOM}.
     *
     * @throws IllegalArgumentException if {@code count} is not from 1 to the capacity
     * @throws RingFailedException      if a consumer has stopped
     */
    public long tryClaim(int count) {
        long first = sequencer.tryClaim(checkCount(count));
        return first >= 0 ? first : refuse();
    }

    /**
     * Claims {@code count} events, waiting at most {@code limit}; returns the first sequence or {@link #NO_ROOM}.
     *
     * @throws IllegalArgumentException if {@code count} is not from 1 to the capacity
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public long tryClaim(int count, Duration limit) {
        Objects.requireNonNull(limit, "limit");
        long first = sequencer.tryClaim(checkCount(count));
        return first >= 0 ? first : awaitRoom(count, Patience.nanos(limit));
    }

    /**
     * Claims one event and waits for room if there is none. An interrupt neither ends the wait nor gets lost.
     *
     * @throws RingFailedException if a consumer has stopped, also while this waits
     */
    public long claim() {
        long first = sequencer.tryClaim(1);
        return first >= 0 ? first : awaitRoom(1, Long.MAX_VALUE);
    }

    /**
     * Claims {@code count} events side by side and waits for room if there is not enough; returns the first sequence.
     *
     * @throws IllegalArgumentException if {@code count} is not from 1 to the capacity
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public long claim(int count) {
        long first = sequencer.tryClaim(checkCount(count));
        return first >= 0 ? first : awaitRoom(count, Long.MAX_VALUE);
    }

    /** Makes a claimed event visible to consumers. */
    public void publish(long sequence) {
        sequencer.publish(sequence, 1);
        wakeConsumers();
    }

    /** Makes {@code count} claimed events from {@code first} on visible to consumers, in one step. */
    public void publish(long first, int count) {
        sequencer.publish(first, count);
        wakeConsumers();
    }

    /**
     * Gives a claimed event up; consumers skip it. One with a barrier of its own asks {@link #isAborted}.
     *
     * @throws IllegalStateException if the event is not claimed, or was published or aborted already
     */
    public void abort(long sequence) {
        abort(sequence, 1);
    }

    /** Gives {@code count} claimed events from {@code first} on up; the rest is as in {@link #abort(long)}. */
    public void abort(long first, int count) {
        checkCount(count);
        skip(first, count);
        wakeConsumers();
    }

    private void skip(long first, int count) {
        if (sequencer instanceof SingleSequencer single && single.takeBack(first, count)) {
            return;
        }
        if (many != null && !many.isOpen(first, count)) {
            throw new IllegalStateException(many.notOpen(first, count) + ", so it cannot be aborted");
        }
        Aborts marks = marks();
        if (sequencer instanceof SingleSequencer single && single.isBehindOpenClaim(first)) {
            if (marks.contains(first)) {
                throw new IllegalStateException("what was claimed at " + first + " was aborted already");
            }
            // Published now, it would make visible what is still being written before it.
            marks.mark(first, count);
            Aborts all = marks;
            single.defer(first + count, sequence -> all.contains(sequence) ? sequence + 1 : sequence);
            return;
        }
        marks.mark(first, count);
        sequencer.publish(first, count);
    }

    /**
     * Claims an event, lets {@code writer} fill it and publishes it; aborts it if the writer throws.
     *
     * @return whether it was published; false only if it was dropped ({@link WhenFull#DROP_NEWEST})
     * @throws RingFullException   if the ring is full and the policy is {@link WhenFull#FAIL}
     * @throws RingFailedException if a consumer has stopped
     */
    public <A> boolean publishEvent(EventWriter<? super E, ? super A> writer, A attachment) {
        return publishEvent(true, writer, attachment);
    }

    /** As {@link #publishEvent}, but returns false whenever there is no room, whatever the policy. */
    public <A> boolean tryPublishEvent(EventWriter<? super E, ? super A> writer, A attachment) {
        return publishEvent(false, writer, attachment);
    }

    private <A> boolean publishEvent(boolean byPolicy, EventWriter<? super E, ? super A> writer, A attachment) {
        long sequence = byPolicy ? claimOrDrop(1) : tryClaim();
        if (sequence < 0) {
            return false;
        }
        boolean ended = false;
        try {
            boolean written = false;
            try {
                writer.write(get(sequence), sequence, attachment);
                written = true;
            } finally {
                end(sequence, 1, written);
                ended = true;
                wakeConsumers();
            }
        } catch (StackOverflowError e) {
            if (many != null && !ended) {
                many.ordered = true;
                if (many.ordered) {
                    many.stamps[(int) sequence & many.stamps.length - 1] =
                            (int) (sequence >>> many.lapShift) + 1 ^ LEFT;
                }
            }
            throw e;
        }
        return true;
    }

    /**
     * Claims an event for each attachment side by side, lets {@code writer} fill them in that order and publishes them
     * in one step; aborts all of them if the writer throws.
     *
     * @return whether they were published; false only if they were dropped ({@link WhenFull#DROP_NEWEST})
     * @throws IllegalArgumentException if there is no attachment, or more than the ring has events
     * @throws RingFullException        if there is no room for all and the policy is {@link WhenFull#FAIL}
     * @throws RingFailedException      if a consumer has stopped
     */
    public <A> boolean publishEvents(EventWriter<? super E, ? super A> writer, A[] attachments) {
        return publishEvents(true, writer, attachments);
    }

    /** As {@link #publishEvents}, but returns false whenever there is no room for all, whatever the policy. */
    public <A> boolean tryPublishEvents(EventWriter<? super E, ? super A> writer, A[] attachments) {
        return publishEvents(false, writer, attachments);
    }

    private <A> boolean publishEvents(boolean byPolicy, EventWriter<? super E, ? super A> writer, A[] attachments) {
        int count = checkCount(attachments.length);
        long first = byPolicy ? claimOrDrop(count) : tryClaim(count);
        if (first < 0) {
            return false;
        }
        boolean ended = false;
        try {
            boolean written = false;
            try {
                for (int i = 0; i < count; i++) {
                    writer.write(get(first + i), first + i, attachments[i]);
                }
                written = true;
            } finally {
                end(first, count, written);
                ended = true;
                wakeConsumers();
            }
        } catch (StackOverflowError e) {
            if (many != null && !ended) {
                for (long at = first + count - 1; at > first; at--) {
                    many.stamps[(int) at & many.stamps.length - 1] = (int) (at >>> many.lapShift) + 1 ^ LEFT;
                }
                many.ordered = true;
                if (many.ordered) {
                    many.stamps[(int) first & many.stamps.length - 1] = (int) (first >>> many.lapShift) + 1 ^ LEFT;
                }
            }
            throw e;
        }
        return true;
    }

    /** As {@link #publishEvent(EventWriter, Object)}, with two objects for the writer. */
    public <A, B> boolean publishEvent(EventWriterOfTwo<? super E, ? super A, ? super B> writer, A first, B second) {
        long sequence = claimOrDrop(1);
        if (sequence < 0) {
            return false;
        }
        boolean ended = false;
        try {
            boolean written = false;
            try {
                writer.write(get(sequence), sequence, first, second);
                written = true;
            } finally {
                end(sequence, 1, written);
                ended = true;
                wakeConsumers();
            }
        } catch (StackOverflowError e) {
            if (many != null && !ended) {
                many.ordered = true;
                if (many.ordered) {
                    many.stamps[(int) sequence & many.stamps.length - 1] =
                            (int) (sequence >>> many.lapShift) + 1 ^ LEFT;
                }
            }
            throw e;
        }
        return true;
    }

    /** As {@link #publishEvent(EventWriter, Object)}, with three objects for the writer. */
    public <A, B, C> boolean publishEvent(
            EventWriterOfThree<? super E, ? super A, ? super B, ? super C> writer, A first, B second, C third) {
        long sequence = claimOrDrop(1);
        if (sequence < 0) {
            return false;
        }
        boolean ended = false;
        try {
            boolean written = false;
            try {
                writer.write(get(sequence), sequence, first, second, third);
                written = true;
            } finally {
                end(sequence, 1, written);
                ended = true;
                wakeConsumers();
            }
        } catch (StackOverflowError e) {
            if (many != null && !ended) {
                many.ordered = true;
                if (many.ordered) {
                    many.stamps[(int) sequence & many.stamps.length - 1] =
                            (int) (sequence >>> many.lapShift) + 1 ^ LEFT;
                }
            }
            throw e;
        }
        return true;
    }

    /**
     * As {@link #publishEvents(EventWriter, Object[])}, with an event for each of {@code values}, which are not boxed.
     */
    public boolean publishEvents(EventWriterOfLong<? super E> writer, long[] values) {
        int count = checkCount(values.length);
        long first = claimOrDrop(count);
        if (first < 0) {
            return false;
        }
        boolean ended = false;
        try {
            boolean written = false;
            try {
                for (int i = 0; i < count; i++) {
                    writer.write(get(first + i), first + i, values[i]);
                }
                written = true;
            } finally {
                end(first, count, written);
                ended = true;
                wakeConsumers();
            }
        } catch (StackOverflowError e) {
            if (many != null && !ended) {
                for (long at = first + count - 1; at > first; at--) {
                    many.stamps[(int) at & many.stamps.length - 1] = (int) (at >>> many.lapShift) + 1 ^ LEFT;
                }
                many.ordered = true;
                if (many.ordered) {
                    many.stamps[(int) first & many.stamps.length - 1] = (int) (first >>> many.lapShift) + 1 ^ LEFT;
                }
            }
            throw e;
        }
        return true;
    }

    private long claimOrDrop(int count) {
        long first = sequencer.tryClaim(count);
        return first >= 0 ? first : claimWhenFull(count, count);
    }

    private Aborts marks() {
        Aborts marks = aborts;
        if (marks == Aborts.NONE) {
            ABORTS.compareAndSet(this, marks, new Aborts(capacity()));
            marks = aborts;
        }
        return marks;
    }

    private void end(long first, int count, boolean written) {
        if (written) {
            sequencer.publish(first, count);
        } else {
            skip(first, count);
        }
    }

    /** Returns a handle for one publishing thread, whose claims are used in try-with-resources. */
    public EventClaim<E> newClaim() {
        return new EventClaim<>(this);
    }

    /**
     * Returns a consumer that one thread polls; publishers wait for it from the position at which it stands: where the
     * slowest of {@code upstream} is or, if there is none, at the end of what is claimed (with one publisher:
     * published) now.
     *
     * @throws IllegalArgumentException if publishers wait neither for {@code upstream} nor for anybody behind it
     */
    public EventPoller<E> newPoller(Sequence... upstream) {
        return newPoller(newBarrier(upstream));
    }

    /**
     * Returns a consumer that one thread polls behind {@code barrier}, which is one of this ring; the rest is as in
     * {@link #newPoller(Sequence...)}.
     *
     * <pre>{@code
     * EventPoller<Order> behindJournal = ring.newPoller(graph.after(journal).asSequenceBarrier());
     * }</pre>
     *
     * @throws IllegalArgumentException if the barrier is one of another ring
     */
    public EventPoller<E> newPoller(SequenceBarrier barrier) {
        return new EventPoller<>(this, Objects.requireNonNull(barrier, "barrier"));
    }

    /** Returns a consumer that publishers never wait for, which copies events and counts those that it missed. */
    public EventObserver<E> newObserver() {
        return new EventObserver<>(this);
    }

    /**
     * Returns whether the event at {@code sequence} was published, aborted ones included, and none a lap later at the
     * same place. It is the same for one publisher and for many.
     */
    public boolean isAvailable(long sequence) {
        return sequence >= 0 && sequencer.isAvailable(sequence);
    }

    /**
     * Returns whether the event at {@code sequence}, which the caller may read, was aborted: a
     * {@link io.slipstream.core.graph.Stage} of one's own and a consumer behind a {@link SequenceBarrier} skip such
     * events, as the built-in consumers do by themselves.
     */
    public boolean isAborted(long sequence) {
        return aborts.contains(sequence);
    }

    /**
     * For the stages of this library. A consumer asks once a batch.
     *
     * @hidden
     */
    @SuppressWarnings("exports")
    public Aborts aborts() {
        return aborts;
    }

    @Override
    long attempt(int count) {
        return sequencer.tryClaim(count);
    }

    private int checkCount(int count) {
        if (count < 1 || count > entries.length) {
            throw badCount(count);
        }
        return count;
    }

    private IllegalArgumentException badCount(int count) {
        return new IllegalArgumentException("a claim has from 1 to " + entries.length + " events, not " + count);
    }

    private static int powerOfTwo(int capacity) {
        if (capacity < 1 || capacity > 1 << 30) {
            throw new IllegalArgumentException("a ring has from 1 to 2^30 events, not " + capacity);
        }
        return capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    }
}
