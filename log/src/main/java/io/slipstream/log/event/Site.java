package io.slipstream.log.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement that logs. It is immutable.
 *
 * @param id      its number, from 1
 * @param level   its level
 * @param logger  the name of its logger
 * @param message with a {@code {}} for each argument
 */
public record Site(int id, Level level, String logger, String message) {
    /** What a placeholder looks like. */
    public static final String PLACEHOLDER = "{}";

    /** Returns the parts of the message around its placeholders as UTF-8: one more than placeholders. */
    public byte[][] parts() {
        List<byte[]> parts = new ArrayList<>();
        int from = 0;
        for (int at = message.indexOf(PLACEHOLDER); at >= 0; at = message.indexOf(PLACEHOLDER, from)) {
            parts.add(message.substring(from, at).getBytes(StandardCharsets.UTF_8));
            from = at + PLACEHOLDER.length();
        }
        parts.add(message.substring(from).getBytes(StandardCharsets.UTF_8));
        return parts.toArray(byte[][]::new);
    }
}
