package io.slipstream.benchmarks.ring;

/** The events of the rings of objects: one long, or eight. */
abstract class Event {
    long value;

    /** Writes the event. */
    abstract void write(long number);

    /** Returns the number that was written. */
    abstract long read();

    /** An event that carries one long. */
    static final class OfOneLong extends Event {
        @Override
        void write(long number) {
            value = number;
        }

        @Override
        long read() {
            return value;
        }
    }

    /** An event with 64 bytes, of which the first and the last eight are written and read. */
    @SuppressWarnings("unused")
    static final class OfEightLongs extends Event {
        long b;
        long c;
        long d;
        long e;
        long f;
        long g;
        long last;

        @Override
        void write(long number) {
            value = number;
            last = ~number;
        }

        @Override
        long read() {
            if (last != ~value) {
                throw new AssertionError("event " + value + " is torn");
            }
            return value;
        }
    }
}
