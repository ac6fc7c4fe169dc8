package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Event;
import io.slipstream.log.layout.PatternPart.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Text by a pattern, in the words that Log4j and Logback share: {@code %d} time, {@code %p} level, {@code %t} thread,
 * {@code %c} logger, {@code %m} message, {@code %k} key-values, {@code %X{key}} one of them, {@code %ex} trace,
 * {@code %n} end of line, {@code %%}, and their long names. A width stands between: {@code %-5p} pads on the right,
 * {@code %20c} on the left, {@code %.30c} shows the last 30 characters. Without {@code %ex} the trace of an exception
 * follows the line.
 */
public final class PatternLayout implements Layout {
    private final TimeText time = new TimeText();
    private final TextBuffer name = new TextBuffer(64);
    private final PatternPart[] parts;
    private final boolean tracesFollow;

    /** What a layout has prepared for a statement. */
    record Line(PatternLayout layout, PatternPart[] parts) {}

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if there is an unknown word; it says which and where
     */
    public PatternLayout(String pattern) {
        List<PatternPart> read = new PatternReader(pattern).read();
        tracesFollow = read.stream().noneMatch(part -> part.kind() == Kind.TRACE || part.kind() == Kind.NO_TRACE);
        parts = read.toArray(PatternPart[]::new);
    }

    @Override
    public void append(Event event, Statement statement, byte[] thread, TextBuffer text) {
        boolean isAfterTrace = false;
        for (PatternPart part : partsOf(statement)) {
            int from = text.length();
            switch (part.kind()) {
                case TIME -> appendTime(event.nanos(), part, text);
                case THREAD -> append(thread, text);
                case MESSAGE -> event.appendMessage(statement.parts, text);
                case KEYS -> appendKeys(event, text);
                case VALUE -> appendValue(event, part, text);
                case TRACE -> appendTraces(event, text);
                default -> appendLiteral(part.literal(), isAfterTrace, text);
            }
            isAfterTrace = part.kind() == Kind.TRACE && text.length() > from;
            fit(part, from, text);
        }
        if (tracesFollow) {
            appendTraces(event, text);
        }
    }

    private PatternPart[] partsOf(Statement statement) {
        Line known = statement.line;
        if (known == null || known.layout != this) {
            known = new Line(this, merged(statement));
            statement.line = known;
        }
        return known.parts;
    }

    /** Returns the parts with all that is the same in each line of the statement put together. */
    private PatternPart[] merged(Statement statement) {
        List<PatternPart> merged = new ArrayList<>();
        TextBuffer literal = new TextBuffer(64);
        for (PatternPart part : parts) {
            int from = literal.length();
            switch (part.kind()) {
                case LEVEL -> append(statement.levelName, literal);
                case LOGGER -> literal.append(part.names().shorten(statement.loggerName));
                case LITERAL -> append(part.literal(), literal);
                case NO_TRACE -> {
                    continue;
                }
                default -> {
                    addLiteral(literal, merged);
                    merged.add(part);
                    continue;
                }
            }
            fit(part, from, literal);
        }
        addLiteral(literal, merged);
        return merged.toArray(PatternPart[]::new);
    }

    private static void addLiteral(TextBuffer literal, List<PatternPart> to) {
        if (literal.length() > 0) {
            to.add(PatternPart.literal(Arrays.copyOf(literal.bytes(), literal.length())));
            literal.clear();
        }
    }

    private static void append(byte[] bytes, TextBuffer text) {
        text.append(bytes, 0, bytes.length);
    }

    /** A trace ends its line already. */
    private static void appendLiteral(byte[] literal, boolean isAfterTrace, TextBuffer text) {
        text.append(literal, isAfterTrace && literal[0] == '\n' ? 1 : 0, literal.length);
    }

    private void appendTime(long nanos, PatternPart part, TextBuffer text) {
        DateText dates = part.dates();
        if (dates == null) {
            time.append(nanos, text);
        } else {
            dates.append(nanos, text);
        }
    }

    private static void appendKeys(Event event, TextBuffer text) {
        boolean isFirst = true;
        event.toRest();
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

    private void appendValue(Event event, PatternPart part, TextBuffer text) {
        event.toRest();
        while (event.next()) {
            if (!event.isKey()) {
                continue;
            }
            name.clear();
            event.appendTo(name);
            if (event.next() && Arrays.equals(name.bytes(), 0, name.length(), part.key(), 0, part.key().length)) {
                event.appendTo(text);
                return;
            }
        }
        append(part.literal(), text);
    }

    private static void appendTraces(Event event, TextBuffer text) {
        event.toRest();
        while (event.next()) {
            if (event.isTrace()) {
                endLine(text);
                event.appendTo(text);
                endLine(text);
            }
        }
    }

    private static void endLine(TextBuffer text) {
        if (text.length() > 0 && text.bytes()[text.length() - 1] != '\n') {
            text.append((byte) '\n');
        }
    }

    private static void fit(PatternPart part, int from, TextBuffer text) {
        if (part.width() == 0 && part.most() == Integer.MAX_VALUE) {
            return;
        }
        int characters = characters(text, from, text.length());
        int most = Math.abs(part.most());
        if (characters > most) {
            cut(part.most() > 0 ? characters - most : 0, most, from, text);
        } else {
            pad(part.width(), Math.abs(part.width()) - characters, from, text);
        }
    }

    private static int characters(TextBuffer text, int from, int to) {
        int characters = 0;
        for (int i = from; i < to; i++) {
            characters += isFirstOfCharacter(text.bytes()[i]) ? 1 : 0;
        }
        return characters;
    }

    private static boolean isFirstOfCharacter(byte b) {
        return (b & 0xC0) != 0x80;
    }

    /** Leaves {@code most} characters behind the first {@code skip}. */
    private static void cut(int skip, int most, int from, TextBuffer text) {
        byte[] bytes = text.bytes();
        int begin = after(skip, from, text);
        int end = after(most, begin, text);
        System.arraycopy(bytes, begin, bytes, from, end - begin);
        text.truncate(from + end - begin);
    }

    private static int after(int characters, int from, TextBuffer text) {
        int left = characters;
        int at = from;
        while (at < text.length()) {
            if (isFirstOfCharacter(text.bytes()[at]) && left-- == 0) {
                break;
            }
            at++;
        }
        return at;
    }

    private static void pad(int width, int missing, int from, TextBuffer text) {
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
