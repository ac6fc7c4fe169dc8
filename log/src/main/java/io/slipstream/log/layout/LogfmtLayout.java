package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Event;
import java.nio.charset.StandardCharsets;

/** Pairs of key and value: {@code time=... level=INFO thread=main logger=a.b msg="order 7 filled" id=7}. */
final class LogfmtLayout implements Layout {
    private static final byte[] TIME = ascii("time=");
    private static final byte[] LEVEL = ascii(" level=");
    private static final byte[] THREAD = ascii(" thread=");
    private static final byte[] LOGGER = ascii(" logger=");
    private static final byte[] MESSAGE = ascii(" msg=");
    private static final byte[] ERROR = ascii(" error=");

    private final OwnKeys ownKeys = new OwnKeys("time", "level", "thread", "logger", "msg", "error");
    private final TimeText time = new TimeText();
    private final TextBuffer part = new TextBuffer(256);

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void put(byte[] bytes, TextBuffer text) {
        text.append(bytes, 0, bytes.length);
    }

    private static void value(byte[] bytes, int length, TextBuffer text) {
        if (Quoted.isNeeded(bytes, 0, length)) {
            Quoted.append(bytes, 0, length, text);
        } else {
            text.append(bytes, 0, length);
        }
    }

    @Override
    public void append(Event event, Statement statement, byte[] thread, TextBuffer text) {
        put(TIME, text);
        time.append(event.nanos(), text);
        put(LEVEL, text);
        put(statement.levelName, text);
        put(THREAD, text);
        value(thread, thread.length, text);
        put(LOGGER, text);
        value(statement.logger, statement.logger.length, text);
        put(MESSAGE, text);
        part.clear();
        event.appendMessage(statement.parts, part);
        value(part.bytes(), part.length(), text);
        while (event.next()) {
            if (event.isTrace()) {
                put(ERROR, text);
            } else if (event.isKey()) {
                text.append((byte) ' ');
                key(event, text);
                if (!event.next()) {
                    break;
                }
            } else {
                continue;
            }
            part.clear();
            event.appendTo(part);
            value(part.bytes(), part.length(), text);
        }
        text.append((byte) '\n');
    }

    /** A key cannot be quoted, so what would end it becomes an underscore. */
    private void key(Event event, TextBuffer text) {
        part.clear();
        event.appendTo(part);
        if (ownKeys.has(part)) {
            text.append((byte) '_');
        }
        for (int i = 0; i < part.length(); i++) {
            byte b = part.bytes()[i];
            text.append(b >= 0 && b <= ' ' || b == '=' || b == '"' ? (byte) '_' : b);
        }
        text.append((byte) '=');
    }
}
