package io.slipstream.data.text;

import java.util.Objects;

/**
 * ISO 8601 timestamps with nanoseconds, {@code 2026-11-23T04:05:06.123456789Z}, from and to nanoseconds since
 * 1970-01-01T00:00Z: from 1677-09-21 to 2262-04-11. Leap seconds are not known, as in {@link java.time.Instant}.
 * Stateless; any thread may call it.
 *
 * <p>Days become dates and back as in Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
public final class InstantText {
    /** Bytes of a text with nine decimals, the longest that is written. */
    public static final int MAX_LENGTH = 30;

    private static final long SECOND = 1_000_000_000;
    private static final int DAY = 86_400;
    private static final int NANO_DIGITS = 9;
    private static final int DAYS_BEFORE_1970 = 719_468;
    private static final int ERA_DAYS = 146_097;
    private static final int DATE_AND_TIME_LENGTH = 19;
    private static final int[] DAYS_OF_MONTH = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private InstantText() {}

    /**
     * Writes the instant with nine decimals.
     *
     * @return the index behind the last byte written, {@value #MAX_LENGTH} more than {@code at}
     * @throws IndexOutOfBoundsException if there is no room
     */
    public static int write(long epochNanos, byte[] to, int at) {
        return write(epochNanos, NANO_DIGITS, to, at);
    }

    /**
     * Writes the instant with {@code decimals} decimals, cut off and not rounded.
     *
     * @param decimals from 0 to 9; with 0 there is no point either
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if there is no room, or the number of decimals is none
     */
    public static int write(long epochNanos, int decimals, byte[] to, int at) {
        Objects.checkIndex(decimals, NANO_DIGITS + 1);
        int length = DATE_AND_TIME_LENGTH + (decimals == 0 ? 0 : 1 + decimals) + 1;
        Objects.checkFromIndexSize(at, length, to.length);
        long second = Math.floorDiv(epochNanos, SECOND);
        int nano = (int) (epochNanos - second * SECOND);
        int day = (int) Math.floorDiv(second, DAY);
        writeDate(day, to, at);
        to[at + 10] = 'T';
        writeTime((int) (second - (long) day * DAY), to, at + 11);
        int position = at + DATE_AND_TIME_LENGTH;
        if (decimals > 0) {
            to[position++] = '.';
            Digits.write(nano / Digits.power(NANO_DIGITS - decimals), decimals, to, position);
            position += decimals;
        }
        to[position] = 'Z';
        return position + 1;
    }

    private static void writeDate(int epochDay, byte[] to, int at) {
        int days = epochDay + DAYS_BEFORE_1970;
        int era = days / ERA_DAYS;
        int dayOfEra = days - era * ERA_DAYS;
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        int year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        Digits.writePair(year / 100, to, at);
        Digits.writePair(year % 100, to, at + 2);
        to[at + 4] = '-';
        Digits.writePair(month, to, at + 5);
        to[at + 7] = '-';
        Digits.writePair(day, to, at + 8);
    }

    private static void writeTime(int secondOfDay, byte[] to, int at) {
        int minutes = secondOfDay / 60;
        Digits.writePair(minutes / 60, to, at);
        to[at + 2] = ':';
        Digits.writePair(minutes % 60, to, at + 3);
        to[at + 5] = ':';
        Digits.writePair(secondOfDay % 60, to, at + 6);
    }

    /**
     * Returns the nanoseconds since 1970 of the timestamp from {@code begin} to {@code end}: date, {@code T}, time with
     * seconds, up to nine decimals, and {@code Z} or an offset as {@code +02:00}.
     *
     * @throws TextException             if it is no such timestamp, no such date or time exists, or it is out of range
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static long parse(byte[] bytes, int begin, int end) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        int year = pair(bytes, begin, end, begin, 99) * 100 + pair(bytes, begin, end, begin + 2, 99);
        expect(bytes, begin, end, begin + 4, '-');
        int month = pair(bytes, begin, end, begin + 5, 12);
        expect(bytes, begin, end, begin + 7, '-');
        int day = pair(bytes, begin, end, begin + 8, 31);
        if (month == 0) {
            throw TextException.at(bytes, begin, end, begin + 5, "a month from 01 to 12");
        }
        if (day == 0 || day > DAYS_OF_MONTH[month] || month == 2 && day == 29 && !isLeap(year)) {
            throw TextException.at(bytes, begin, end, begin + 8, "a day of the month");
        }
        expect(bytes, begin, end, begin + 10, 'T');
        int hour = pair(bytes, begin, end, begin + 11, 23);
        expect(bytes, begin, end, begin + 13, ':');
        int minute = pair(bytes, begin, end, begin + 14, 59);
        expect(bytes, begin, end, begin + 16, ':');
        int second = pair(bytes, begin, end, begin + 17, 59);
        int at = begin + DATE_AND_TIME_LENGTH;
        int nano = 0;
        if (at < end && bytes[at] == '.') {
            int first = ++at;
            while (at < end && at - first < NANO_DIGITS && Digits.isDigit(bytes[at])) {
                nano = nano * 10 + bytes[at++] - '0';
            }
            if (at == first) {
                throw TextException.at(bytes, begin, end, at, "a digit");
            }
            nano *= (int) Digits.power(NANO_DIGITS - (at - first));
        }
        long seconds = (long) epochDay(year, month, day) * DAY
                + (hour * 60 + minute) * 60
                + second
                - offsetSeconds(bytes, begin, end, at);
        long nanos = seconds * SECOND + nano;
        if (Math.multiplyHigh(seconds, SECOND) != seconds * SECOND >> 63
                        && seconds != Math.floorDiv(Long.MIN_VALUE, SECOND)
                || Math.floorDiv(nanos, SECOND) != seconds) {
            throw TextException.at(bytes, begin, end, begin, "an instant from 1677-09-21 to 2262-04-11");
        }
        return nanos;
    }

    private static int epochDay(int year, int month, int day) {
        int fromMarch = month <= 2 ? year - 1 : year;
        int era = Math.floorDiv(fromMarch, 400);
        int yearOfEra = fromMarch - era * 400;
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        return era * ERA_DAYS + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - DAYS_BEFORE_1970;
    }

    private static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    private static int offsetSeconds(byte[] bytes, int begin, int end, int at) {
        if (at < end && bytes[at] == 'Z') {
            requireEnd(bytes, begin, end, at + 1);
            return 0;
        }
        if (at >= end || bytes[at] != '+' && bytes[at] != '-') {
            throw TextException.at(bytes, begin, end, at, "Z or an offset");
        }
        int hours = pair(bytes, begin, end, at + 1, 18);
        expect(bytes, begin, end, at + 3, ':');
        int seconds = (hours * 60 + pair(bytes, begin, end, at + 4, hours == 18 ? 0 : 59)) * 60;
        requireEnd(bytes, begin, end, at + 6);
        return bytes[at] == '-' ? -seconds : seconds;
    }

    private static void requireEnd(byte[] bytes, int begin, int end, int at) {
        if (at != end) {
            throw TextException.at(bytes, begin, end, at, "the end");
        }
    }

    private static int pair(byte[] bytes, int begin, int end, int at, int greatest) {
        if (at + 2 > end || !Digits.isDigit(bytes[at]) || !Digits.isDigit(bytes[at + 1])) {
            int wrong = at < end && Digits.isDigit(bytes[at]) ? at + 1 : Math.min(at, end);
            throw TextException.at(bytes, begin, end, wrong, "a digit");
        }
        int value = (bytes[at] - '0') * 10 + bytes[at + 1] - '0';
        if (value > greatest) {
            throw TextException.at(bytes, begin, end, at, "two digits up to " + greatest);
        }
        return value;
    }

    private static void expect(byte[] bytes, int begin, int end, int at, char expected) {
        if (at >= end || bytes[at] != expected) {
            throw TextException.at(bytes, begin, end, Math.min(at, end), "'" + expected + "'");
        }
    }
}
