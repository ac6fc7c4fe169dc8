package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Times in a form and a zone of one's own. Those of the same millisecond share their text. For one thread. */
final class DateText {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;
    /** Differs from 1970-01-01T00:00:00Z in all that a form can show, but for the era and the zone. */
    private static final Instant OTHER = Instant.parse("2025-12-30T23:59:58.987654321Z");
    /** A number of nanoseconds, which is no fraction of a second unless all of its nine digits are there. */
    private static final Pattern FEW_NANOS = Pattern.compile("(?<!n)(?!n{9}(?!n))n+");

    private static final Pattern QUOTED = Pattern.compile("'[^']*'");

    private final DateTimeFormatter formatter;
    private final long step;
    private final StringBuilder characters = new StringBuilder();
    private String written = "";
    private long writtenStep = Long.MIN_VALUE;

    /**
     * Reads a form, which is a name or a pattern of {@link DateTimeFormatter}, and a zone, which is the local one if
     * empty.
     *
     * @throws IllegalArgumentException if one of them is unknown
     */
    DateText(String form, String zone) {
        String pattern = pattern(form);
        try {
            ZoneId where = zone.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(zone);
            formatter = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(where);
            if (formatter.format(Instant.EPOCH).equals(formatter.format(OTHER))) {
                throw new IllegalArgumentException("it shows nothing of the time");
            }
            if (FEW_NANOS.matcher(QUOTED.matcher(pattern).replaceAll("")).find()) {
                throw new IllegalArgumentException("a part of a second is S, of as many digits as there are S");
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("{" + form + "}" + (zone.isEmpty() ? "" : "{" + zone + "}")
                    + " is no form of a time: " + e.getMessage());
        }
        step = pattern.matches(".*([nNA]|S{4}).*") ? 1 : MILLISECOND;
    }

    private static String pattern(String form) {
        return switch (form) {
            case "ISO8601", "STRICT" -> "yyyy-MM-dd'T'HH:mm:ss,SSS";
            case "DEFAULT" -> "yyyy-MM-dd HH:mm:ss,SSS";
            case "ABSOLUTE" -> "HH:mm:ss,SSS";
            case "DATE" -> "dd MMM yyyy HH:mm:ss,SSS";
            case "COMPACT" -> "yyyyMMddHHmmssSSS";
            default -> form;
        };
    }

    /** Appends nanoseconds since 1970. */
    void append(long nanos, TextBuffer text) {
        long now = Math.floorDiv(nanos, step);
        if (now != writtenStep) {
            long second = Math.floorDiv(nanos, SECOND);
            characters.setLength(0);
            formatter.formatTo(Instant.ofEpochSecond(second, nanos - second * SECOND), characters);
            written = characters.toString();
            writtenStep = now;
        }
        text.append(written);
    }
}
