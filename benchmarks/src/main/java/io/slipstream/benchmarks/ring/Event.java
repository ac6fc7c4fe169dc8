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

    /** An event with 64 bytes, which are all written and read. */
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
            b = number + 1;
            c = number + 2;
            d = number + 3;
            e = number + 4;
            f = number + 5;
            g = number + 6;
            last = ~number;
        }

        @Override
        long read() {
            long first = value;
            long wrong = b - first - 1
                    | c - first - 2
                    | d - first - 3
                    | e - first - 4
                    | f - first - 5
                    | g - first - 6
                    | last ^ ~first;
            if (wrong != 0) {
                throw new AssertionError("event " + first + " is torn");
            }
            return first;
        }
    }
}
