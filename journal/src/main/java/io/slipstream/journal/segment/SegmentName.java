package io.slipstream.journal.segment;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the files in a journal's folder. */
public final class SegmentName {
    /** Ends the name of a file that is not finished; such files are removed when the journal is opened. */
    public static final String UNFINISHED = ".tmp";

    private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{16})\\.journal");

    private SegmentName() {
    }

    /** Returns the name of a segment. */
    public static String of(long number) {
        return String.format(Locale.ROOT, "segment-%016d.journal", number);
    }

    /** Returns the number of the segment that has this name, or empty if it is none. */
    public static OptionalLong parse(String name) {
        Matcher matcher = SEGMENT.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns the name of the file that keeps what was cut off a segment. */
    public static String cut(long number, long offset, int epoch) {
        return String.format(Locale.ROOT, "segment-%016d-at-%d-epoch-%d.cut", number, offset, epoch);
    }
}
