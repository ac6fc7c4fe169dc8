package io.slipstream.sim.world;

import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The time of a simulated world, and what happens in it next. Everything runs on the thread that calls
 * {@link #runUntil}, one event after another; events of one moment run in the order in which they were planned.
 */
public final class Schedule {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, Chance> chances = new HashMap<>();
    private final long seed;
    private final Trace trace = new Trace(this);
    private long nanos;
    private long planned;
    private int depth;

    /** Creates a world at the time 0, in which all chance comes from {@code seed}. */
    public Schedule(long seed) {
        this.seed = seed;
    }

    /** Returns the time in nanoseconds since the beginning of the world. */
    public long nanos() {
        return nanos;
    }

    /** Returns the chance of whatever is called so; its numbers follow from the seed and that name alone. */
    public Chance chance(String of) {
        return chances.computeIfAbsent(
                of, name -> new Chance(new SplittableRandom(seed ^ (long) name.hashCode() << Integer.SIZE).nextLong()));
    }

    /** Returns what is known of what has happened. */
    public Trace trace() {
        return trace;
    }

    /** Plans an action for {@code delayNanos} from now. */
    public void after(long delayNanos, Runnable action) {
        events.add(new Event(nanos + Math.max(0, delayNanos), planned++, action));
    }

    /** Runs what happens until then, and moves the time there. An action may call it, to wait for the others. */
    public void runUntil(long untilNanos) {
        runUntil(untilNanos, () -> false);
    }

    /** As {@link #runUntil(long)}, but returns behind the event after which {@code isOver}; the time stays there. */
    public void runUntil(long untilNanos, BooleanSupplier isOver) {
        depth++;
        try {
            while (!isOver.getAsBoolean()) {
                Event next = events.peek();
                if (next == null || next.nanos > untilNanos) {
                    nanos = Math.max(nanos, untilNanos);
                    return;
                }
                events.poll();
                nanos = Math.max(nanos, next.nanos);
                next.action.run();
            }
        } finally {
            depth--;
        }
    }

    /** Returns whether another action waits until the present one has returned. */
    public boolean isWaitedFor() {
        return depth > 1;
    }

    private record Event(long nanos, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
