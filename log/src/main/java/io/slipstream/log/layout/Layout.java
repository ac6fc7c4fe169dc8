package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Event;
import java.util.Locale;

/** Appends an event to a text, with the end of its line. For one thread. */
public interface Layout {
    /** Appends it. */
    void append(Event event, Statement statement, byte[] thread, TextBuffer text);

    /** Returns the layout that a setting names: {@code json}, {@code logfmt}, or {@code pattern}. */
    static Layout of(String format, String pattern) {
        return switch (format.toLowerCase(Locale.ROOT)) {
            case "json" -> new JsonLayout();
            case "logfmt" -> new LogfmtLayout();
            case "pattern" -> new PatternLayout(pattern);
            default -> throw new IllegalArgumentException("a format is pattern, json or logfmt, not '" + format + "'");
        };
    }
}
