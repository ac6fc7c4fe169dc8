package io.slipstream.core.queue;

import java.util.function.IntFunction;

/** Every queue, for the tests that hold for all of them. */
enum QueueKinds {
    ONE_TO_ONE(OneToOneQueue::new, false, false),
    MANY_TO_ONE(ManyToOneQueue::new, true, false),
    ONE_TO_MANY(OneToManyQueue::new, false, true),
    MANY_TO_MANY(ManyToManyQueue::new, true, true),
    GROWING(capacity -> new GrowingManyToOneQueue<>(2, Math.max(2, capacity)), true, false);

    private final IntFunction<BoundedQueue<?>> factory;
    final boolean manyProducers;
    final boolean manyConsumers;

    QueueKinds(IntFunction<BoundedQueue<?>> factory, boolean manyProducers, boolean manyConsumers) {
        this.factory = factory;
        this.manyProducers = manyProducers;
        this.manyConsumers = manyConsumers;
    }

    @SuppressWarnings("unchecked")
    <E> BoundedQueue<E> create(int capacity) {
        return (BoundedQueue<E>) factory.apply(capacity);
    }
}
