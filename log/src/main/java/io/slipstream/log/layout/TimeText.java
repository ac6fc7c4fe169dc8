package io.slipstream.log.layout;

import io.slipstream.data.text.InstantText;
import io.slipstream.data.text.TextBuffer;

/** Times as text, for one thread: those of the same second share their date, and only nanoseconds are written anew. */
final class TimeText {
    private static final long SECOND = 1_000_000_000;
    private static final int FIRST_DIGIT = 20;
    private static final byte[] THREES = threes();

    private final byte[] written = new byte[InstantText.MAX_LENGTH];
    private long second;

    TimeText() {
        InstantText.write(0, written, 0);
    }

    private static byte[] threes() {
        byte[] digits = new byte[3000];
        for (int i = 0; i < 1000; i++) {
            digits[3 * i] = (byte) ('0' + i / 100);
            digits[3 * i + 1] = (byte) ('0' + i / 10 % 10);
            digits[3 * i + 2] = (byte) ('0' + i % 10);
        }
        return digits;
    }

    private void putThree(int value, int at) {
        written[at] = THREES[3 * value];
        written[at + 1] = THREES[3 * value + 1];
        written[at + 2] = THREES[3 * value + 2];
    }

    /** Appends nanoseconds since 1970, as {@link TextBuffer#appendInstant} does. */
    void append(long nanos, TextBuffer text) {
        long newSecond = Math.floorDiv(nanos, SECOND);
        if (newSecond == second) {
            int rest = (int) (nanos - newSecond * SECOND);
            int micros = rest / 1000;
            int millis = micros / 1000;
            putThree(millis, FIRST_DIGIT);
            putThree(micros - millis * 1000, FIRST_DIGIT + 3);
            putThree(rest - micros * 1000, FIRST_DIGIT + 6);
        } else {
            InstantText.write(nanos, written, 0);
            second = newSecond;
        }
        text.append(written, 0, written.length);
    }
}
