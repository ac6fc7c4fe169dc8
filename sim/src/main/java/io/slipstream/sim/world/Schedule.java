package io.slipstream.sim.world;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The time of a simulated world, and what happens in it next. Everything runs on the thread that calls
 * {@link #runUntil}, one event after another; events of one moment run in the order in which they were planned.
 */
public final class Schedule {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final SplittableRandom random;
    private final Trace trace = new Trace(this);
    private long nanos;
    private long planned;

    /** Creates a world at the time 0, in which all chance comes from {@code seed}. */
    public Schedule(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Returns the time in nanoseconds since the beginning of the world. */
    public long nanos() {
        return nanos;
    }

    /** Returns the chance of this world. */
    public SplittableRandom random() {
        return random;
    }

    /** Returns what is known of what has happened. */
    public Trace trace() {
        return trace;
    }

    /** Returns a number from 1 to {@code most}, smaller ones more often: half of them are below its square root. */
    public long someNanos(long most) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(most);
        return 1 + random.nextLong(Math.min(most, 1L << random.nextInt(1, bits + 1)));
    }

    /** Returns whether something happens that has this probability. */
    public boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** Plans an action for {@code delayNanos} from now. */
    public void after(long delayNanos, Runnable action) {
        events.add(new Event(nanos + Math.max(0, delayNanos), planned++, action));
    }

    /** Runs what happens until then, and moves the time there. An action may call it, to wait for the others. */
    public void runUntil(long untilNanos) {
        Event next;
        while ((next = events.peek()) != null && next.nanos <= untilNanos) {
            events.poll();
            nanos = Math.max(nanos, next.nanos);
            next.action.run();
        }
        nanos = Math.max(nanos, untilNanos);
    }

    private record Event(long nanos, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
