package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.StreamId;
import io.slipstream.keyvalue.value.StreamValue;
import org.jspecify.annotations.Nullable;

/**
 * How XADD and XTRIM shorten a stream. What need not be exact is so all the same, up to a limit of entries at once.
 *
 * @param most  entries that stay; -1 for any number
 * @param least the least id that stays; null for any
 * @param limit of entries that are removed at once; 0 for none
 */
public record Trim(long most, @Nullable StreamId least, long limit) {
    private static final Trim NONE = new Trim(-1, null, 0);
    private static final long DEFAULT_LIMIT = 10_000;

    /**
     * The options that stand before the id of an entry.
     *
     * @param trim      how to shorten the stream
     * @param makesNone the stream is not made if it is not there
     * @param next      the word behind the options
     */
    public record Options(Trim trim, boolean makesNone, int next) {
        /** Reads the options from word 1 on; those of XTRIM, which has no id, go up to its end. */
        public static Options of(Words words, boolean isAdd) {
            Trim trim = NONE;
            boolean makesNone = false;
            boolean approximates = false;
            long limit = -1;
            int i = 1;
            for (; i < words.count() && !(isAdd && words.is(i, "*")); i++) {
                int more = words.count() - 1 - i;
                if ((words.is(i, "MAXLEN") || words.is(i, "MINID")) && more > 0) {
                    boolean byLength = words.is(i, "MAXLEN");
                    if (trim != NONE) {
                        throw new RedisError(
                                "ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
                    }
                    approximates = more > 1 && words.is(i + 1, "~");
                    i += approximates || more > 1 && words.is(i + 1, "=") ? 2 : 1;
                    trim = byLength
                            ? new Trim(atLeastZero(words, i, "MAXLEN"), null, 0)
                            : new Trim(-1, StreamWords.id(words, i, 0), 0);
                } else if (words.is(i, "LIMIT") && more > 0) {
                    limit = atLeastZero(words, ++i, "LIMIT");
                } else if (isAdd && words.is(i, "NOMKSTREAM")) {
                    makesNone = true;
                } else if (isAdd) {
                    break;
                } else {
                    throw RedisError.SYNTAX;
                }
            }
            if (isAdd && i < words.count()) {
                requireId(words, i);
            }
            if (limit > 0 && trim == NONE) {
                throw new RedisError("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
            }
            if (!isAdd && trim == NONE) {
                throw new RedisError("ERR syntax error, XTRIM must be called with a trimming strategy");
            }
            if (limit >= 0 && !approximates) {
                throw new RedisError("ERR syntax error, LIMIT cannot be used without the special ~ option");
            }
            long bound = limit >= 0 ? limit : approximates ? DEFAULT_LIMIT : 0;
            return new Options(new Trim(trim.most, trim.least, bound), makesNone, i);
        }

        private static void requireId(Words words, int i) {
            String text = words.text(i);
            if (text.endsWith("-*")) {
                StreamWords.number(text.substring(0, text.length() - 2));
            } else if (!text.equals("*")) {
                StreamWords.id(words, i, 0);
            }
        }

        private static long atLeastZero(Words words, int i, String what) {
            long value = words.number(i);
            if (value < 0) {
                throw new RedisError("ERR The " + what + " argument must be >= 0.");
            }
            return value;
        }
    }

    /** Shortens a stream; returns how many entries went. */
    public long apply(StreamValue stream) {
        long removed = 0;
        while (!stream.entries().isEmpty()
                && (limit == 0 || removed < limit)
                && (most >= 0 && stream.size() > most
                        || least != null && least.isAfter(stream.entries().firstKey()))) {
            stream.removeFirst();
            removed++;
        }
        return removed;
    }
}
