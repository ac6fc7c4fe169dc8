package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;

/** The words of SINTERCARD and ZINTERCARD: how many keys, the keys, and a limit. */
public final class Limited {
    private Limited() {}

    /** Returns the place behind the keys, which begin at word 1; the errors are for a number that is none, too small
     * or too large. */
    public static int behindKeys(Words words, RedisError notANumber, RedisError tooSmall, RedisError tooLarge) {
        long count = words.number(0, notANumber);
        if (count < 1) {
            throw tooSmall;
        }
        if (count > words.count() - 1) {
            throw tooLarge;
        }
        return (int) count + 1;
    }

    /** Returns the limit that the words from {@code from} on say, or the largest number. */
    public static long limit(Words words, int from) {
        RedisError negative = new RedisError("ERR LIMIT can't be negative");
        long limit = 0;
        for (int i = from; i < words.count(); i += 2) {
            if (i + 1 == words.count() || !words.is(i, "LIMIT")) {
                throw RedisError.SYNTAX;
            }
            limit = words.number(i + 1, negative);
            if (limit < 0) {
                throw negative;
            }
        }
        return limit == 0 ? Long.MAX_VALUE : limit;
    }
}
