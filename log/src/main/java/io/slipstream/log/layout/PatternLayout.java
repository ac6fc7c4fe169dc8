package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Text by a pattern, in the words that Log4j and Logback share: {@code %d} time, {@code %p} level, {@code %t} thread,
 * {@code %c} logger, {@code %m} message, {@code %k} key-values, {@code %n} end of line, {@code %%}. A width stands
 * between: {@code %-5p} pads on the right, {@code %20c} on the left. The trace of an exception follows the line.
 */
public final class PatternLayout implements Layout {
    private final TimeText time = new TimeText();
    private final Part[] parts;

    private record Part(char kind, byte[] literal, int width) {}

    /** What a layout has prepared for a statement. */
    record Line(PatternLayout layout, Part[] parts) {}

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if there is an unknown letter; it says where
     */
    public PatternLayout(String pattern) {
        List<Part> read = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%') {
                literal.append(c);
                continue;
            }
            int from = i++;
            int sign = 1;
            if (i < pattern.length() && pattern.charAt(i) == '-') {
                sign = -1;
                i++;
            }
            int width = 0;
            while (i < pattern.length() && Character.isDigit(pattern.charAt(i)) && width < 1000) {
                width = width * 10 + pattern.charAt(i++) - '0';
            }
            char kind = i < pattern.length() ? pattern.charAt(i) : ' ';
            switch (kind) {
                case '%' -> literal.append('%');
                case 'n' -> literal.append('\n');
                case 'd', 'p', 't', 'c', 'm', 'k' -> {
                    read.add(new Part(' ', literal.toString().getBytes(StandardCharsets.UTF_8), 0));
                    read.add(new Part(kind, new byte[0], sign * width));
                    literal.setLength(0);
                }
                default ->
                    throw new IllegalArgumentException("the pattern '" + pattern
                            + "' has no %d, %p, %t, %c, %m, %k, %n or %% at position "
                            + from);
            }
        }
        read.add(new Part(' ', literal.toString().getBytes(StandardCharsets.UTF_8), 0));
        parts = read.toArray(Part[]::new);
    }

    @Override
    public void append(Event event, Statement statement, byte[] thread, TextBuffer text) {
        boolean messageSeen = false;
        for (Part part : partsOf(statement)) {
            int from = text.length();
            switch (part.kind) {
                case 'd' -> time.append(event.nanos(), text);
                case 't' -> append(thread, text);
                case 'm' -> {
                    event.appendMessage(statement.parts, text);
                    messageSeen = true;
                }
                case 'k' -> appendKeys(event, statement, messageSeen, text);
                default -> append(part.literal, text);
            }
            if (part.width != 0) {
                pad(part.width, from, text);
            }
        }
        appendTraces(event, text);
    }

    private Part[] partsOf(Statement statement) {
        Line known = statement.line;
        if (known == null || known.layout != this) {
            known = new Line(this, merged(statement));
            statement.line = known;
        }
        return known.parts;
    }

    /** Returns the parts with all that is the same in each line of the statement put together. */
    private Part[] merged(Statement statement) {
        List<Part> merged = new ArrayList<>();
        TextBuffer literal = new TextBuffer(64);
        for (Part part : parts) {
            int from = literal.length();
            switch (part.kind) {
                case 'p' -> append(statement.levelName, literal);
                case 'c' -> append(statement.logger, literal);
                case ' ' -> append(part.literal, literal);
                default -> {
                    addLiteral(literal, merged);
                    merged.add(part);
                    continue;
                }
            }
            pad(part.width, from, literal);
        }
        addLiteral(literal, merged);
        return merged.toArray(Part[]::new);
    }

    private static void addLiteral(TextBuffer literal, List<Part> to) {
        if (literal.length() > 0) {
            to.add(new Part(' ', Arrays.copyOf(literal.bytes(), literal.length()), 0));
            literal.clear();
        }
    }

    private static void append(byte[] bytes, TextBuffer text) {
        text.append(bytes, 0, bytes.length);
    }

    private static void appendKeys(Event event, Statement statement, boolean messageSeen, TextBuffer text) {
        if (!messageSeen) {
            int length = text.length();
            event.appendMessage(statement.parts, text);
            text.truncate(length);
        }
        boolean isFirst = true;
        while (event.next()) {
            if (event.isKey()) {
                if (!isFirst) {
                    text.append((byte) ' ');
                }
                isFirst = false;
                event.appendTo(text);
                text.append((byte) '=');
                if (event.next()) {
                    event.appendTo(text);
                }
            }
        }
    }

    private static void appendTraces(Event event, TextBuffer text) {
        event.toRest();
        while (event.next()) {
            if (event.isTrace()) {
                event.appendTo(text);
                if (text.bytes()[text.length() - 1] != '\n') {
                    text.append((byte) '\n');
                }
            }
        }
    }

    private static void pad(int width, int from, TextBuffer text) {
        int missing = Math.abs(width) - (text.length() - from);
        for (int i = 0; i < missing; i++) {
            text.append((byte) ' ');
        }
        if (width > 0 && missing > 0) {
            byte[] bytes = text.bytes();
            System.arraycopy(bytes, from, bytes, from + missing, text.length() - from - missing);
            Arrays.fill(bytes, from, from + missing, (byte) ' ');
        }
    }
}
