package io.slipstream.lab.tool;

import java.util.Collection;

/** Splits text into a collection of the caller's choice: one that is reused, bounded, sorted or counts. */
public final class Split {
    private Split() {}

    /**
     * Adds the parts of {@code text} between separators, the empty ones too.
     *
     * @return how many parts there were, at least one
     */
    public static int into(Collection<? super String> parts, String text, char separator) {
        int count = 1;
        int start = 0;
        for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
            parts.add(text.substring(start, end));
            start = end + 1;
            count++;
        }
        parts.add(text.substring(start));
        return count;
    }
}
