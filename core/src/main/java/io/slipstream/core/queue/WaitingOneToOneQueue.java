package io.slipstream.core.queue;

import io.slipstream.core.thread.WaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The blocking view of a {@link OneToOneQueue} whose callers may be woken. An element, or a free place, becomes visible
 * by an exchange on its slot, which orders it before the look at the sleepers, so that no fence is needed beside it.
 */
final class WaitingOneToOneQueue<E> extends WaitingQueue<E> {
    private final OneToOneQueue<E> queue;

    WaitingOneToOneQueue(OneToOneQueue<E> queue, WaitStrategy strategy) {
        super(queue, strategy);
        this.queue = queue;
    }

    @Override
    public boolean offer(E element) {
        if (!queue.offerVolatile(element)) {
            return false;
        }
        takers.wakeOneFenced();
        return true;
    }

    @Override
    public @Nullable E poll() {
        E element = queue.pollVolatile();
        if (element != null) {
            putters.wakeOneFenced();
        }
        return element;
    }
}
