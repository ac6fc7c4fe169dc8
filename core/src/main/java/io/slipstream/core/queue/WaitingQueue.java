package io.slipstream.core.queue;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BoundedQueue} with blocking methods: whoever finds it empty, or full, waits as a {@link WaitStrategy} says.
 *
 * <p>The threads that may call it, and the order of elements, are those of the queue inside. All threads must go
 * through this view, or a parked one is not woken. With a strategy that is not wakeable nobody pays for waking; with
 * one that is, a successful call costs one fence (or an exchange instead of a store) and one read more while nobody
 * waits.
 *
 * <p>As with the queue inside, elements leave from the front alone: {@code remove(Object)}, {@code removeAll},
 * {@code retainAll}, {@code removeIf} and the iterator's {@code remove} throw {@link UnsupportedOperationException}
 * where they have found one to remove. So this is no queue for a {@link java.util.concurrent.ThreadPoolExecutor}, which
 * takes tasks back from the middle.
 *
 * <p>As with those of the JDK, a call that may wait and can throw {@link InterruptedException} looks at the interrupt
 * of its thread first: it throws also where it would not have to wait, and moves no element.
 *
 * <p>Callers who wait with a strategy that spins or yields for ever are not counted by
 * {@link io.slipstream.core.affinity.SpinningThreads}: that would cost each wait more than it mostly lasts. Have no
 * more of them than there are CPUs.
 *
 * <p>Where the queue inside can be closed, {@link #close} ends all waiting: for room at once, for elements when there
 * are none left.
 *
 * @param <E> what the queue holds; never null
 */
public class WaitingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
    private final BoundedQueue<E> queue;
    private final WaitStrategy strategy;
    final Sleepers takers = new Sleepers();
    final Sleepers putters = new Sleepers();
    private final Patience forElements;
    private final Patience forRoom;

    WaitingQueue(BoundedQueue<E> queue, WaitStrategy strategy) {
        this.queue = queue;
        this.strategy = Objects.requireNonNull(strategy, "strategy");
        this.forElements = new Patience(strategy, takers);
        this.forRoom = new Patience(strategy, putters);
    }

    @Override
    public boolean offer(E element) {
        if (!queue.offer(element)) {
            return false;
        }
        wake(takers);
        return true;
    }

    @Override
    public @Nullable E poll() {
        E element = queue.poll();
        if (element != null) {
            wake(putters);
        }
        return element;
    }

    @Override
    public @Nullable E peek() {
        return queue.peek();
    }

    /**
     * Adds an element, without waiting.
     *
     * @throws IllegalStateException if it was refused; the message says whether the queue is full or was closed
     */
    @Override
    public boolean add(E element) {
        if (!offer(element)) {
            throw ArrayBackedQueue.refused(queue, element);
        }
        return true;
    }

    /**
     * Adds an element, waiting for room.
     *
     * @throws IllegalStateException if the queue is or was closed before there was room
     */
    @Override
    public void put(E element) throws InterruptedException {
        endIfInterrupted();
        if (!offer(element) && !offerWaiting(element, Patience.FOREVER_NANOS)) {
            throw new IllegalStateException("the queue was closed; refused: " + element);
        }
    }

    /**
     * Adds an element, waiting for room; returns false if there was none in time, or at once if the queue is or was
     * closed.
     */
    @Override
    public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        endIfInterrupted();
        return offer(element) || offerWaiting(element, unit.toNanos(timeout));
    }

    /**
     * Takes the first element, waiting for one.
     *
     * @throws IllegalStateException if there is none and the queue is or was closed, so that none can come
     */
    @Override
    public E take() throws InterruptedException {
        E element = takeUnlessEnded();
        if (element == null) {
            throw new IllegalStateException("the queue was closed, and nothing is left in it");
        }
        return element;
    }

    private @Nullable E takeUnlessEnded() throws InterruptedException {
        endIfInterrupted();
        E element = poll();
        return element != null ? element : pollWaiting(Patience.FOREVER_NANOS);
    }

    /** Costs a call that need not wait no more than the read of a field of its own thread. */
    private static void endIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Takes the first element, waiting for one; returns null if there was none in time, or at once if none can come any
     * more.
     */
    @Override
    public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        endIfInterrupted();
        E element = poll();
        return element != null ? element : pollWaiting(unit.toNanos(timeout));
    }

    /**
     * Waits until there is an element, and takes what there is, at most {@code limit}; each goes to {@code consumer}.
     *
     * @return how many were taken: at least 1, or 0 if the queue was closed and nothing is left in it
     */
    public int drain(Consumer<? super E> consumer, int limit) throws InterruptedException {
        Objects.requireNonNull(consumer, "consumer");
        if (limit < 1) {
            throw new IllegalArgumentException("the limit is at least 1, not " + limit);
        }
        E first = takeUnlessEnded();
        if (first == null) {
            return 0;
        }
        consumer.accept(first);
        return 1 + drainTo(consumer, limit - 1);
    }

    private int drainTo(Consumer<? super E> consumer, int limit) {
        int count = 0;
        while (count < limit) {
            E element = poll();
            if (element == null) {
                break;
            }
            count++;
            consumer.accept(element);
        }
        return count;
    }

    @Override
    public int drainTo(Collection<? super E> target) {
        return drainTo(target, Integer.MAX_VALUE);
    }

    @Override
    public int drainTo(Collection<? super E> target, int limit) {
        Objects.requireNonNull(target, "target");
        requireOther(target, "drained into");
        return drainTo(target::add, limit);
    }

    /**
     * Refuses every further element, for ever, and wakes all who wait; callable by any thread.
     *
     * @throws UnsupportedOperationException if the queue inside cannot be closed
     */
    public void close() {
        queue.close();
        putters.wakeAll();
        takers.wakeAll();
    }

    /** Returns whether the queue was closed; consumers may still find elements. */
    public boolean isClosed() {
        return queue.isClosed();
    }

    @Override
    public int remainingCapacity() {
        return queue.capacity() - queue.size();
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    @Override
    public Iterator<E> iterator() {
        return queue.iterator();
    }

    @Override
    public Spliterator<E> spliterator() {
        return queue.spliterator();
    }

    /**
     * Adds all elements of {@code elements}, without waiting.
     *
     * @throws IllegalArgumentException if that is this queue, or another view of the same
     * @throws IllegalStateException    if one was refused; those before it were added
     */
    @Override
    public boolean addAll(Collection<? extends E> elements) {
        requireOther(elements, "added to");
        return super.addAll(elements);
    }

    private void requireOther(Collection<?> other, String action) {
        if (other == this || isOf(other)) {
            throw new IllegalArgumentException("a queue cannot be " + action + " itself");
        }
    }

    /** Returns whether {@code other} is the queue inside, or another view of it. */
    boolean isOf(Collection<?> other) {
        return other == queue || other instanceof WaitingQueue<?> view && view.queue == queue;
    }

    private void wake(Sleepers sleepers) {
        if (strategy.wakeable()) {
            sleepers.wakeOne();
        }
    }

    private boolean offerWaiting(E element, long nanos) throws InterruptedException {
        boolean[] accepted = {false};
        try {
            forRoom.await(() -> (accepted[0] = queue.offer(element)) || queue.isClosed(), nanos);
            if (accepted[0]) {
                wake(takers);
            }
            return accepted[0];
        } finally {
            handRoomOn();
        }
    }

    /** Who leaves may have been chosen for room that it has not taken; so another one is woken for it. */
    void handRoomOn() {
        if (queue.size() < queue.capacity()) {
            wake(putters);
        }
    }

    private @Nullable E pollWaiting(long nanos) throws InterruptedException {
        AtomicReference<@Nullable E> taken = new AtomicReference<>();
        try {
            forElements.await(() -> takeInto(taken), nanos);
            E element = taken.getPlain();
            if (element != null) {
                wake(putters);
            }
            return element;
        } finally {
            handElementsOn();
        }
    }

    /** Who leaves may have been chosen for an element that it has not taken; so another one is woken for it. */
    void handElementsOn() {
        if (!queue.isEmpty()) {
            wake(takers);
        }
    }

    /**
     * Returns whether there was an element, or none can come: what was accepted before the close is found by a look
     * after it.
     */
    private boolean takeInto(AtomicReference<@Nullable E> taken) {
        boolean ended = queue.isClosed();
        E element = queue.poll();
        taken.setPlain(element);
        return ended || element != null;
    }
}
