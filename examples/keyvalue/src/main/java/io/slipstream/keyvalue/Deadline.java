package io.slipstream.keyvalue;

import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.service.machine.Output;

/** Turns the times of commands into milliseconds since 1970. */
final class Deadline {
    /** Beyond it nanoseconds since 1970 have no place in 64 bits. */
    private static final long MAX_MILLIS = Long.MAX_VALUE / 1_000_000;

    private Deadline() {
    }

    static long nowMillis(Output output) {
        return output.timeNanos() / 1_000_000;
    }

    static long read(Words words, int i, boolean seconds, boolean absolute, boolean positive, String command,
                     Output output) {
        RedisError invalid = new RedisError("ERR invalid expire time in '" + command + "' command");
        long value = words.number(i);
        long unit = seconds ? 1_000 : 1;
        long from = absolute ? 0 : nowMillis(output);
        if (positive && value <= 0 || Math.abs(value / 2) > MAX_MILLIS / unit / 2) {
            throw invalid;
        }
        long at = value * unit + from;
        if (at > MAX_MILLIS) {
            throw invalid;
        }
        return at;
    }
}
