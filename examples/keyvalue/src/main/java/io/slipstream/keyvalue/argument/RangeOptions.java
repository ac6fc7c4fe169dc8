package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;

/**
 * The words behind the bounds of a range of a sorted set.
 *
 * @param by what the bounds are
 * @param fromBehind whether the greatest comes first
 * @param withScores whether scores are told
 * @param offset how many members of the range are left out
 * @param count how many are told at most, or -1 for all
 */
public record RangeOptions(By by, boolean fromBehind, boolean withScores, long offset, long count) {
    /** What a bound is. */
    public enum By {
        RANK,
        SCORE,
        NAME
    }

    private static final int FIRST_WORD = 3;

    /** Reads the options of {@code ZRANGE}, which say the kind of the range. */
    public static RangeOptions any(Words words) {
        return read(words, By.RANK, false, true);
    }

    /** Reads the options of a command for ranges of one kind. */
    public static RangeOptions of(Words words, By by, boolean fromBehind) {
        return read(words, by, fromBehind, false);
    }

    /** Returns how many members of a range are told. */
    public long sizeOf(Range range) {
        long left = offset < 0 ? 0 : Math.max(0, range.size() - offset);
        return count < 0 ? left : Math.min(left, count);
    }

    private static RangeOptions read(Words words, By kind, boolean backwards, boolean mayChoose) {
        By by = kind;
        boolean fromBehind = backwards;
        boolean withScores = false;
        boolean isLimited = false;
        long offset = 0;
        long count = -1;
        for (int i = FIRST_WORD; i < words.count(); i++) {
            if (words.is(i, "WITHSCORES")) {
                withScores = true;
            } else if (words.is(i, "LIMIT") && i + 2 < words.count()) {
                isLimited = true;
                offset = words.number(i + 1);
                count = words.number(i + 2);
                i += 2;
            } else if (mayChoose && words.is(i, "REV")) {
                fromBehind = true;
            } else if (mayChoose && words.is(i, "BYSCORE")) {
                by = By.SCORE;
            } else if (mayChoose && words.is(i, "BYLEX")) {
                by = By.NAME;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        if (isLimited && count != -1 && by == By.RANK) {
            throw new RedisError(
                    "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or " + "BYLEX");
        }
        if (withScores && by == By.NAME) {
            throw new RedisError("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
        }
        return new RangeOptions(by, fromBehind, withScores, offset, count);
    }
}
