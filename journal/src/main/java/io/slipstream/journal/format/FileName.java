package io.slipstream.journal.format;

import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the files in a journal's folder. */
public final class FileName {
    /** Ends the name of a file that is not finished; see {@link #isUnfinished}. */
    public static final String UNFINISHED = ".tmp";

    /** The file that says up to which record the journal may have been trimmed. */
    public static final String TRIMMED = "trimmed.position";

    /** The file that says which record was the last one when the journal was closed. */
    public static final String CLOSED = "closed.position";

    private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{16})\\.journal");

    private static final Pattern INDEX = Pattern.compile("segment-\\d{16}\\.index");
    private static final Pattern SNAPSHOT = Pattern.compile("snapshot-(\\d{16})\\.snapshot");
    private static final Pattern CUT = Pattern.compile("segment-(\\d{16})-at-(\\d{1,18})-epoch-\\d+\\.cut(-\\d+)?");
    private static final Pattern SKIP = Pattern.compile("skip-(\\d{16})\\.position");
    private static final Pattern TAILER = Pattern.compile("tailer-([a-z0-9-]{1,64})\\.position");

    private FileName() {}

    /** Returns the name of a segment. */
    public static String of(long number) {
        return String.format(Locale.ROOT, "segment-%016d.journal", number);
    }

    /** Returns the number of the segment that has this name, or empty if it is none. */
    public static OptionalLong parse(String name) {
        Matcher matcher = SEGMENT.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns the name of the index of a segment. */
    public static String index(long number) {
        return String.format(Locale.ROOT, "segment-%016d.index", number);
    }

    /** Returns whether this is the name of an index. */
    public static boolean isIndex(String name) {
        return INDEX.matcher(name).matches();
    }

    /** Returns the name of the snapshot of the state behind the record {@code sequence}. */
    public static String snapshot(long sequence) {
        return String.format(Locale.ROOT, "snapshot-%016d.snapshot", sequence);
    }

    /** Returns the sequence of the snapshot that has this name, or empty if it is none. */
    public static OptionalLong parseSnapshot(String name) {
        Matcher matcher = SNAPSHOT.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns the name of the file with the position of a tailer. */
    public static String tailer(String tailer) {
        return "tailer-" + tailer + ".position";
    }

    /** Returns the tailer whose position has this name, or empty if it is none. */
    public static Optional<String> parseTailer(String name) {
        Matcher matcher = TAILER.matcher(name);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /**
     * Returns where in segment {@code number} the file with this name was cut off, or empty if it keeps nothing of it.
     */
    public static OptionalLong parseCut(String name, long number) {
        Matcher matcher = CUT.matcher(name);
        return matcher.matches() && Long.parseLong(matcher.group(1)) == number
                ? OptionalLong.of(Long.parseLong(matcher.group(2)))
                : OptionalLong.empty();
    }

    /** Returns the name of the file that says that replay passes over the record {@code sequence}. */
    public static String skip(long sequence) {
        return String.format(Locale.ROOT, "skip-%016d.position", sequence);
    }

    /** Returns the sequence that the file with this name says to pass over, or empty if it is none. */
    public static OptionalLong parseSkip(String name) {
        Matcher matcher = SKIP.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Returns whether the file with this name holds a position. */
    public static boolean isPosition(String name) {
        return name.equals(TRIMMED)
                || name.equals(CLOSED)
                || parseTailer(name).isPresent()
                || parseSkip(name).isPresent();
    }

    /**
     * Returns whether the file with this name is one of the journal's that was never finished; opening removes those.
     * What others keep in the folder is not its business.
     */
    public static boolean isUnfinished(String name) {
        if (!name.endsWith(UNFINISHED)) {
            return false;
        }
        String finished = name.substring(0, name.length() - UNFINISHED.length());
        return parse(finished).isPresent()
                || isIndex(finished)
                || parseSnapshot(finished).isPresent()
                || isPosition(finished)
                || CUT.matcher(finished).matches();
    }

    /** Returns the name under which a file is kept whose records are no longer there. */
    public static String aside(String name, int epoch) {
        return name.substring(0, name.lastIndexOf('.')) + "-epoch-" + epoch + ".cut";
    }

    /** Returns {@code name}, with a number behind it if a file is called so already. */
    public static String free(Storage storage, String name) throws IOException {
        List<String> taken = storage.list();
        String free = name;
        for (int i = 2; taken.contains(free); i++) {
            free = name + "-" + i;
        }
        return free;
    }

    /** Returns the name of the file that keeps what was cut off a segment. */
    public static String cut(long number, long offset, int epoch) {
        return String.format(Locale.ROOT, "segment-%016d-at-%d-epoch-%d.cut", number, offset, epoch);
    }
}
