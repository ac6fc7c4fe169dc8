package io.slipstream.core.queue;

import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue in which something happens right after an interrupted thread has found it full or empty. */
class HookedQueue<E> extends AbstractQueue<E> implements BoundedQueue<E> {
    private final BoundedQueue<E> queue;
    private @Nullable Runnable hook;

    HookedQueue(BoundedQueue<E> queue) {
        this.queue = queue;
    }

    /** Sets what happens, once, in the thread that has found the queue full or empty. */
    void afterNextFailureOfAnInterruptedThread(Runnable newHook) {
        hook = newHook;
    }

    private void failed() {
        Runnable todo = hook;
        if (todo != null && Thread.currentThread().isInterrupted()) {
            hook = null;
            todo.run();
        }
    }

    @Override
    public boolean offer(E element) {
        boolean accepted = queue.offer(element);
        if (!accepted) {
            failed();
        }
        return accepted;
    }

    @Override
    public @Nullable E poll() {
        E element = queue.poll();
        if (element == null) {
            failed();
        }
        return element;
    }

    @Override
    public @Nullable E peek() {
        return queue.peek();
    }

    @Override
    public boolean relaxedOffer(E element) {
        return offer(element);
    }

    @Override
    public @Nullable E relaxedPoll() {
        return poll();
    }

    @Override
    public int fill(Supplier<? extends E> supplier, int limit) {
        return queue.fill(supplier, limit);
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public Iterator<E> iterator() {
        return queue.iterator();
    }
}
