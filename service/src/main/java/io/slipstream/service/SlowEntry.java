package io.slipstream.service;

import java.time.Duration;
import java.util.List;

/**
 * Something that the state machine has been in for long: it works hard, waits for something, or loops. All other
 * commands wait for it.
 *
 * @param sequence of the log entry; 0 for what is not in the log, such as a query
 * @param kind     such as {@code command Deposit}, {@code a query}, or {@code timer 7, due at
 *                 2027-01-01T00:00:00Z}
 * @param lasted   for how long at least
 * @param replayed whether the service has not begun to serve yet: it replays its log
 * @param stack    where the thread is
 * @param skipCommand what an operator says, before the number of the entry, to have it skipped
 */
public record SlowEntry(
        long sequence,
        String kind,
        Duration lasted,
        boolean replayed,
        List<StackTraceElement> stack,
        String skipCommand) {
    /** Creates a report. */
    public SlowEntry {
        stack = List.copyOf(stack);
    }

    /** Says it in a sentence without the stack. */
    public String text() {
        String entry = sequence == 0 ? "which is not in the log" : "log entry " + sequence;
        String advice = sequence == 0
                ? ""
                : ". If it never ends, stop the service, and skip the entry with `" + skipCommand + " " + sequence
                        + "`";
        return "the state machine has been in " + kind + ", " + entry + ", for " + lasted.toMillis() + " ms"
                + (replayed ? " while the log is replayed" : "; all other commands wait") + advice;
    }
}
