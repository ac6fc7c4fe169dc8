package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the words of the next request in what has arrived: an array of bulk strings, or a line.
 *
 * <p>Of an array that is not complete it remembers which words it has, so that no byte of them is looked at again.
 */
final class RequestParser {
    /** What {@link #parse} returns if the request is not complete. */
    static final int INCOMPLETE = 0;

    private static final int MAX_WORDS = 1 << 20;
    private static final int MAX_LINE = 1 << 16;
    private static final long NO_NUMBER = Long.MIN_VALUE;

    private final int maxBytes;
    private long end;

    /* Of an array that was not complete: where the next word begins behind its start, and how many are to come. */
    private int next;
    private long left;

    RequestParser(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Fills {@code words}, and returns how many bytes the request has; it may have no words. After
     * {@link #INCOMPLETE} it takes the same bytes again and more, wherever they are by then, and the same words as it
     * has left them.
     */
    int parse(MemorySegment memory, long offset, int length, Words words) {
        if (next > 0) {
            words.move(memory, offset);
            return array(memory, offset, offset + length, words);
        }
        words.begin(memory, offset);
        return memory.get(ValueLayout.JAVA_BYTE, offset) == '*'
                ? array(memory, offset, offset + length, words)
                : line(memory, offset, offset + length, words);
    }

    private int array(MemorySegment memory, long offset, long limit, Words words) {
        long at = offset + next;
        next = 0;
        if (at == offset) {
            if (!line(memory, offset + 1, limit, "ERR Protocol error: too big mbulk count string")) {
                return INCOMPLETE;
            }
            left = number(memory, offset + 1, end - 2);
            if (left == NO_NUMBER || left > MAX_WORDS) {
                throw new RedisError("ERR Protocol error: invalid multibulk length");
            }
            at = end;
        }
        for (; left > 0; left--) {
            if (at >= limit) {
                return incomplete(at - offset);
            }
            byte kind = memory.get(ValueLayout.JAVA_BYTE, at);
            if (kind != '$') {
                throw new RedisError("ERR Protocol error: expected '$', got '" + (char) (kind & 0xFF) + "'");
            }
            if (!line(memory, at + 1, limit, "ERR Protocol error: too big bulk count string")) {
                return incomplete(at - offset);
            }
            long size = number(memory, at + 1, end - 2);
            if (size < 0) {
                throw new RedisError("ERR Protocol error: invalid bulk length");
            }
            if (size > maxBytes) {
                throw new RedisError("ERR Protocol error: invalid bulk length " + size + ": at most " + maxBytes
                        + " bytes are read here; serve with a larger --max-value");
            }
            if (limit - end < size + 2) {
                return incomplete(at - offset);
            }
            words.add(end - offset, (int) size);
            at = end + size + 2;
        }
        return (int) (at - offset);
    }

    private int incomplete(long wordsEnd) {
        next = (int) wordsEnd;
        return INCOMPLETE;
    }

    /** Looks for the end of the line that begins at {@code offset}; {@link #end} is behind it then. */
    private boolean line(MemorySegment memory, long offset, long limit, String tooLong) {
        for (long at = offset; at + 1 < limit; at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) == '\r') {
                end = at + 2;
                return true;
            }
        }
        if (limit - offset > MAX_LINE) {
            throw new RedisError(tooLong);
        }
        return false;
    }

    private static long number(MemorySegment memory, long from, long to) {
        long at = from;
        boolean negative = at < to && memory.get(ValueLayout.JAVA_BYTE, at) == '-';
        at += negative ? 1 : 0;
        if (at == to || to - at > 10) {
            return NO_NUMBER;
        }
        long value = 0;
        for (; at < to; at++) {
            int digit = memory.get(ValueLayout.JAVA_BYTE, at) - '0';
            if (digit < 0 || digit > 9) {
                return NO_NUMBER;
            }
            value = 10 * value + digit;
        }
        return negative ? -value : value;
    }

    private static int line(MemorySegment memory, long offset, long limit, Words words) {
        long to = offset;
        while (to < limit && memory.get(ValueLayout.JAVA_BYTE, to) != '\n') {
            to++;
        }
        if (to == limit) {
            if (limit - offset > MAX_LINE) {
                throw new RedisError("ERR Protocol error: too big inline request");
            }
            return INCOMPLETE;
        }
        inlineWords(
                new String(
                        memory.asSlice(offset, to - offset).toArray(ValueLayout.JAVA_BYTE),
                        StandardCharsets.ISO_8859_1),
                words);
        return (int) (to + 1 - offset);
    }

    /** Words of a line are parted by blanks; quotes keep blanks, and double quotes know escapes. */
    private static void inlineWords(String line, Words words) {
        StringBuilder all = new StringBuilder();
        int at = 0;
        List<Integer> ends = new ArrayList<>();
        while (at < line.length()) {
            if (Character.isWhitespace(line.charAt(at))) {
                at++;
                continue;
            }
            at = inlineWord(line, at, all);
            ends.add(all.length());
        }
        words.begin(MemorySegment.ofArray(all.toString().getBytes(StandardCharsets.ISO_8859_1)));
        int from = 0;
        for (int to : ends) {
            words.add(from, to - from);
            from = to;
        }
    }

    private static int inlineWord(String line, int from, StringBuilder into) {
        int at = from;
        char quote = 0;
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (quote == 0 && Character.isWhitespace(c)) {
                return at;
            }
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (quote != 0 && c == quote) {
                if (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
                    throw new RedisError("ERR Protocol error: unbalanced quotes in request");
                }
                return at;
            } else if (quote == '"' && c == '\\' && at < line.length()) {
                char escaped = line.charAt(at++);
                if (escaped == 'x'
                        && at + 2 <= line.length()
                        && Character.digit(line.charAt(at), 16) >= 0
                        && Character.digit(line.charAt(at + 1), 16) >= 0) {
                    into.append((char) Integer.parseInt(line.substring(at, at + 2), 16));
                    at += 2;
                } else {
                    into.append(
                            switch (escaped) {
                                case 'n' -> '\n';
                                case 'r' -> '\r';
                                case 't' -> '\t';
                                case 'b' -> '\b';
                                case 'a' -> (char) 7;
                                default -> escaped;
                            });
                }
            } else if (quote == '\'' && c == '\\' && at < line.length() && line.charAt(at) == '\'') {
                into.append('\'');
                at++;
            } else {
                into.append(c);
            }
        }
        if (quote != 0) {
            throw new RedisError("ERR Protocol error: unbalanced quotes in request");
        }
        return at;
    }
}
