package io.slipstream.log.layout;

import io.slipstream.data.text.InstantText;
import io.slipstream.data.text.TextBuffer;

/** Times as text, for one thread: those of the same second share their date, and only nanoseconds are written anew. */
final class TimeText {
    private static final long SECOND = 1_000_000_000;
    private static final int FIRST_DIGIT = 20;
    private static final int LAST_DIGIT = 28;

    private final byte[] written = new byte[InstantText.MAX_LENGTH];
    private long second;

    TimeText() {
        InstantText.write(0, written, 0);
    }

    /** Appends nanoseconds since 1970, as {@link TextBuffer#appendInstant} does. */
    void append(long nanos, TextBuffer text) {
        long newSecond = Math.floorDiv(nanos, SECOND);
        if (newSecond == second) {
            int rest = (int) (nanos - newSecond * SECOND);
            for (int i = LAST_DIGIT; i >= FIRST_DIGIT; i--) {
                int tenth = rest / 10;
                written[i] = (byte) ('0' + rest - tenth * 10);
                rest = tenth;
            }
        } else {
            InstantText.write(nanos, written, 0);
            second = newSecond;
        }
        text.append(written, 0, written.length);
    }
}
