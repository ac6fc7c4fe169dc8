package io.slipstream.core.queue;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Waiter;
import java.util.Objects;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue without locks that holds at most {@link #capacity} elements, and tells its producers when it is full.
 *
 * <p>{@link #offer}, {@link #poll} and {@link #peek} mean what they mean for every {@link Queue}: an offer fails only
 * if the queue was full at some moment of the call, a poll returns null only if it was empty. Each class says how many
 * threads may produce and consume at a time; more than that break it. What a producer did before its offer is visible
 * to the thread that takes the element.
 *
 * <p>The bound is exact: there are never more than {@code capacity} elements, and an offer succeeds while there are
 * fewer, but for one case: after a {@link #fill} whose supplier has failed, in a queue with many producers, what is
 * left of its claim are gaps. They take places, and count in the size, until a consumer has passed them. The size, the
 * iterator and all that rests on them are estimates while other threads work. Elements cannot be removed from the
 * middle: {@code remove(Object)}, {@code removeAll}, {@code retainAll}, {@code removeIf} and the iterator's
 * {@code remove} throw {@link UnsupportedOperationException} where they have found one to remove.
 *
 * @param <E> what the queue holds; never null
 */
public interface BoundedQueue<E> extends Queue<E> {
    /** Returns how many elements the queue holds at most. */
    int capacity();

    /**
     * Adds an element, as {@link #offer} does.
     *
     * @throws IllegalStateException if it was refused; the message says whether the queue is full or was closed
     */
    @Override
    boolean add(E element);

    /**
     * Adds an element, or returns false if there is no room, or if another producer was faster just now. Cheaper than
     * {@link #offer} for a caller that has something else to do meanwhile.
     */
    boolean relaxedOffer(E element);

    /**
     * Takes the first element, or returns null if there is none, if its producer has not finished just now, or if
     * another consumer was faster just now, though more may be there. Never waits for a producer in the middle of its
     * offer, as {@link #poll} may for a moment.
     */
    @Nullable
    E relaxedPoll();

    /**
     * Takes elements until there are none or {@code limit} were taken, and hands each to {@code consumer}. It may also
     * end in front of one whose producer is in the middle of its offer, as {@link #relaxedPoll} does, though there are
     * others behind it. If the consumer throws, its element counts as taken, all others stay, and the exception reaches
     * the caller. It may use the queue itself.
     *
     * @return how many were taken
     */
    default int drain(Consumer<? super E> consumer, int limit) {
        Objects.requireNonNull(consumer, "consumer");
        int count = 0;
        while (count < limit) {
            E element = relaxedPoll();
            if (element == null) {
                break;
            }
            count++;
            consumer.accept(element);
        }
        return count;
    }

    /** Takes what there is, at most one capacity of it; see {@link #drain(Consumer, int)}. */
    default int drain(Consumer<? super E> consumer) {
        return drain(consumer, capacity());
    }

    /**
     * Takes elements as they come, as long as {@code running} says so; between them the thread waits as {@code waiter}
     * does. The queue knows nothing of that waiter: if it parks, each producer must wake its signal after each offer,
     * and so must whoever changes what {@code running} says. {@link #waiting} does both by itself.
     */
    default void drain(Consumer<? super E> consumer, Waiter waiter, BooleanSupplier running) {
        while (running.getAsBoolean()) {
            waiter.idle(drain(consumer, capacity()));
        }
    }

    /**
     * Adds what {@code supplier} gives until there is no room or {@code limit} were added. The supplier is asked only
     * when there is room for its answer. If it throws or returns null, that element is left out, all before it are in
     * the queue, and the exception reaches the caller. Many producers claim their places before they ask, so a slow
     * supplier holds consumers up. The supplier must not use the queue itself.
     *
     * @return how many were added
     * @throws NullPointerException if the supplier returned null
     */
    int fill(Supplier<? extends E> supplier, int limit);

    /**
     * Refuses every further element, for ever; each offer then either was accepted before or fails. Callable by any
     * thread. Not every kind of queue can be closed.
     *
     * @throws UnsupportedOperationException if this one cannot
     */
    default void close() {
        throw new UnsupportedOperationException(
                getClass().getSimpleName() + " cannot be closed; ManyToOneQueue and ManyToManyQueue can");
    }

    /** Returns whether the queue was closed; consumers may still find elements. */
    default boolean isClosed() {
        return false;
    }

    /**
     * Goes over the elements in their order, as the iterator does. It does not say how many they are, since others may
     * add and take elements meanwhile; so streams of a queue may be collected and run in parallel while it is used.
     */
    @Override
    default Spliterator<E> spliterator() {
        return Spliterators.spliteratorUnknownSize(
                iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
    }

    /**
     * Returns this queue with blocking methods, whose callers wait as {@code strategy} says; use only one of the two,
     * also to close it.
     */
    default WaitingQueue<E> waiting(WaitStrategy strategy) {
        return new WaitingQueue<>(this, strategy);
    }
}
