package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Event;
import java.nio.charset.StandardCharsets;

/** One JSON object a line: time, level, thread, logger, message, key-values, and the trace as {@code error}. */
final class JsonLayout implements Layout {
    private static final byte[] TIME = ascii("{\"time\":\"");
    private static final byte[] LEVEL = ascii("\",\"level\":\"");
    private static final byte[] THREAD = ascii("\",\"thread\":");
    private static final byte[] LOGGER = ascii(",\"logger\":");
    private static final byte[] MESSAGE = ascii(",\"message\":");
    private static final byte[] ERROR = ascii("\"error\"");
    private static final byte[] END = ascii("}\n");

    private final OwnKeys ownKeys = new OwnKeys("time", "level", "thread", "logger", "message", "error");
    private final TimeText time = new TimeText();
    private final TextBuffer part = new TextBuffer(256);

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void put(byte[] bytes, TextBuffer text) {
        text.append(bytes, 0, bytes.length);
    }

    @Override
    public void append(Event event, Statement statement, byte[] thread, TextBuffer text) {
        put(TIME, text);
        time.append(event.nanos(), text);
        put(LEVEL, text);
        put(statement.levelName, text);
        put(THREAD, text);
        Quoted.append(thread, 0, thread.length, text);
        put(LOGGER, text);
        Quoted.append(statement.logger, 0, statement.logger.length, text);
        put(MESSAGE, text);
        part.clear();
        event.appendMessage(statement.parts, part);
        Quoted.append(part.bytes(), 0, part.length(), text);
        while (event.next()) {
            if (!event.isTrace() && !event.isKey()) {
                continue;
            }
            text.append((byte) ',');
            if (event.isTrace()) {
                put(ERROR, text);
            } else {
                key(event, text);
                if (!event.next()) {
                    break;
                }
            }
            text.append((byte) ':');
            value(event, text, event.isBare());
        }
        put(END, text);
    }

    private void key(Event event, TextBuffer text) {
        part.clear();
        event.appendTo(part);
        if (ownKeys.has(part)) {
            part.clear();
            part.append((byte) '_');
            event.appendTo(part);
        }
        Quoted.append(part.bytes(), 0, part.length(), text);
    }

    private void value(Event event, TextBuffer text, boolean bare) {
        if (bare) {
            event.appendTo(text);
            return;
        }
        part.clear();
        event.appendTo(part);
        Quoted.append(part.bytes(), 0, part.length(), text);
    }
}
