package io.slipstream.core.thread;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A duty that copies what a part of the program says of itself to counters now and then, where other processes can
 * watch it. It costs that part nothing.
 *
 * <p>It may run on any worker that wakes up by itself, such as one without a signal. It never ends that worker because
 * of the counters: when they are closed it has nothing to do any more.
 *
 * @param <S> what the part says of itself
 */
public class SampledCounters<S> implements Duty {
    private final Supplier<? extends S> source;
    private final Counters counters;
    private final String owner;
    private final long intervalNanos;
    private final List<Sample<S>> samples = new ArrayList<>();
    private long nextNanos = System.nanoTime();

    private record Sample<S>(Counter counter, ToLongFunction<? super S> value) {}

    /**
     * Creates a duty that copies nothing yet; {@link #add} says what.
     *
     * @param source   asked once for each copy, by the thread that runs the duty
     * @param owner    the name under which the counters are shown
     * @param interval between two copies; one of more than 292 years means once
     * @throws IllegalArgumentException if the interval is not positive
     */
    public SampledCounters(Supplier<? extends S> source, Counters counters, String owner, Duration interval) {
        this.source = Objects.requireNonNull(source, "source");
        this.counters = Objects.requireNonNull(counters, "counters");
        this.owner = Objects.requireNonNull(owner, "owner");
        if (!Objects.requireNonNull(interval, "interval").isPositive()) {
            throw new IllegalArgumentException("the interval between two copies must be positive, not " + interval
                    + ": the worker of " + owner + " would copy its counters without end");
        }
        this.intervalNanos = Patience.nanos(interval);
    }

    /**
     * Adds a counter; only for the thread that runs the duty, or before it runs.
     *
     * @throws IllegalStateException    if all places of the counters are taken; those that were added here have been
     *                                  freed then
     * @throws IllegalArgumentException if the label is too long; those that were added here have been freed then
     */
    public final SampledCounters<S> add(CounterType type, String label, ToLongFunction<? super S> value) {
        try {
            samples.add(new Sample<>(counters.add(type, owner, label), value));
            return this;
        } catch (IllegalStateException | IllegalArgumentException e) {
            samples.forEach(each -> counters.free(each.counter));
            samples.clear();
            throw e;
        }
    }

    /** Called before each copy; a subclass may add counters here. */
    protected void prepare(S sample) {}

    /** Copies now. */
    public final void copy() {
        try {
            S sample = source.get();
            prepare(sample);
            // By index, as an iterator is allocated.
            for (int i = 0; i < samples.size(); i++) {
                Sample<S> each = samples.get(i);
                each.counter.setRelease(each.value.applyAsLong(sample));
            }
        } catch (IllegalStateException e) {
            if (counters.isOpen()) {
                throw e;
            }
        }
    }

    @Override
    public final int work() {
        if (System.nanoTime() - nextNanos < 0) {
            return 0;
        }
        nextNanos = System.nanoTime() + intervalNanos;
        copy();
        return 1;
    }

    @Override
    public final void onStop() {
        copy();
    }
}
