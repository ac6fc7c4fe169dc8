package io.slipstream.keyvalue.resp;

import java.util.concurrent.atomic.AtomicLongArray;

/** How often each command was asked for, and how often it was refused for its number of words. For all threads. */
final class Figures {
    private static final RedisCommand[] ALL = RedisCommand.values();

    private final AtomicLongArray calls = new AtomicLongArray(ALL.length);
    private final AtomicLongArray rejected = new AtomicLongArray(ALL.length);

    /** A command was taken. */
    void asked(RedisCommand command) {
        calls.incrementAndGet(command.ordinal());
    }

    /** A command was refused since it cannot have so many words. */
    void rejected(RedisCommand command) {
        rejected.incrementAndGet(command.ordinal());
    }

    /** Returns how many commands were taken. */
    long asked() {
        long sum = 0;
        for (int i = 0; i < ALL.length; i++) {
            sum += calls.get(i);
        }
        return sum;
    }

    /** Begins anew. */
    void reset() {
        for (int i = 0; i < ALL.length; i++) {
            calls.set(i, 0);
            rejected.set(i, 0);
        }
    }

    /** Returns a line of INFO for each command that somebody asked for; there is no clock, so no time is told. */
    String lines() {
        StringBuilder lines = new StringBuilder();
        for (RedisCommand each : ALL) {
            long taken = calls.get(each.ordinal());
            long refused = rejected.get(each.ordinal());
            if (taken + refused > 0) {
                lines.append("cmdstat_").append(each.text()).append(":calls=").append(taken);
                lines.append(",rejected_calls=").append(refused).append("\r\n");
            }
        }
        return lines.toString();
    }
}
