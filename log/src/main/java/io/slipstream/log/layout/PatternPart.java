package io.slipstream.log.layout;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a pattern.
 *
 * @param kind    what it shows
 * @param literal the text, if it is one; or what stands for a key that an event does not have
 * @param key     the key whose value it shows
 * @param names   how names of loggers are shortened
 * @param dates   the form of times; null for the full one
 * @param width   the least characters: on the left where negative
 * @param most    the most characters: the first ones where negative, otherwise the last
 */
record PatternPart(
        Kind kind,
        byte[] literal,
        byte[] key,
        LoggerNames names,
        @Nullable DateText dates,
        int width,
        int most) {
    private static final byte[] NONE = {};

    /** What a piece shows. */
    enum Kind {
        LITERAL,
        TIME,
        LEVEL,
        THREAD,
        LOGGER,
        MESSAGE,
        KEYS,
        VALUE,
        TRACE,
        NO_TRACE
    }

    static PatternPart of(Kind kind) {
        return new PatternPart(kind, NONE, NONE, LoggerNames.WHOLE, null, 0, Integer.MAX_VALUE);
    }

    static PatternPart literal(String text) {
        return new PatternPart(
                Kind.LITERAL,
                text.getBytes(StandardCharsets.UTF_8),
                NONE,
                LoggerNames.WHOLE,
                null,
                0,
                Integer.MAX_VALUE);
    }

    static PatternPart literal(byte[] text) {
        return new PatternPart(Kind.LITERAL, text, NONE, LoggerNames.WHOLE, null, 0, Integer.MAX_VALUE);
    }

    static PatternPart value(String key, String otherwise) {
        return new PatternPart(
                Kind.VALUE,
                otherwise.getBytes(StandardCharsets.UTF_8),
                key.getBytes(StandardCharsets.UTF_8),
                LoggerNames.WHOLE,
                null,
                0,
                Integer.MAX_VALUE);
    }

    PatternPart names(LoggerNames newNames) {
        return new PatternPart(kind, literal, key, newNames, dates, width, most);
    }

    PatternPart dates(DateText newDates) {
        return new PatternPart(kind, literal, key, names, newDates, width, most);
    }

    PatternPart between(int least, int newMost) {
        return new PatternPart(kind, literal, key, names, dates, least, newMost);
    }
}
