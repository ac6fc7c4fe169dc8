package io.slipstream.cli.load;

/**
 * When each command of an open-loop load is due: the first one at the start, and each other one a period after the
 * former.
 *
 * @param startNanos  the start, on the clock of {@link System#nanoTime}
 * @param lengthNanos how long the load lasts; what would be due at its end or later is none of it
 * @param periodNanos from one command to the next
 */
record Schedule(long startNanos, long lengthNanos, double periodNanos) {
    /** Returns how many commands are due at {@code now} or were before. */
    long due(long now) {
        return 1 + (long) (Math.min(now - startNanos, lengthNanos - 1) / periodNanos);
    }

    /** Returns when a command is due; the first has the number 0. */
    long time(long number) {
        return startNanos + (long) (number * periodNanos);
    }

    /** Returns whether the load is over. */
    boolean isOver(long now) {
        return now - startNanos >= lengthNanos;
    }
}
