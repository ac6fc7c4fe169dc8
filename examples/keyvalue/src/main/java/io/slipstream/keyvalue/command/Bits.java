package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;

/** The commands of bits: a string as a row of them, the highest of each byte first. */
final class Bits {
    private static final RedisError NO_OFFSET = new RedisError("ERR bit offset is not an integer or out of range");
    private static final RedisError NO_BIT = new RedisError("ERR bit is not an integer or out of range");
    private static final int BITS = Byte.SIZE;

    private final Database database;

    /** Bits of a string, from the first to the last; none if the first is behind the last. */
    private record Span(long first, long last) {
        boolean isEmpty() {
            return first > last;
        }
    }

    Bits(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.SETBIT, this::set);
        handlers.put(RedisCommand.GETBIT, this::get);
        handlers.put(RedisCommand.BITCOUNT, this::count);
        handlers.put(RedisCommand.BITPOS, this::position);
        handlers.put(RedisCommand.BITOP, this::combine);
    }

    private long offset(Words words, int i) {
        long offset = words.number(i, NO_OFFSET);
        if (offset < 0 || offset / BITS >= database.maxValue()) {
            throw NO_OFFSET;
        }
        return offset;
    }

    private void set(Words words, Reply reply) {
        long offset = offset(words, 1);
        long bit = words.number(2, NO_BIT);
        if (bit != 0 && bit != 1) {
            throw NO_BIT;
        }
        byte[] bytes = bytes(words, 0);
        int at = (int) (offset / BITS);
        byte[] whole = at < bytes.length ? bytes : Arrays.copyOf(bytes, at + 1);
        boolean former = isSet(whole, offset);
        int mask = 1 << BITS - 1 - offset % BITS;
        whole[at] = (byte) (bit == 1 ? whole[at] | mask : whole[at] & ~mask);
        database.setString(words, 0, whole, true);
        reply.flag(former);
    }

    private static boolean isSet(byte[] bytes, long bit) {
        return (bytes[(int) (bit / BITS)] >> BITS - 1 - bit % BITS & 1) != 0;
    }

    private byte[] bytes(Words words, int i) {
        long record = database.string(words, i);
        return record == 0 ? new byte[0] : database.bytes(record);
    }

    private void get(Words words, Reply reply) {
        long offset = offset(words, 1);
        long record = database.string(words, 0);
        boolean isThere = record != 0 && offset / BITS < database.keys().valueLength(record);
        reply.flag(isThere
                && (database.keys()
                                                .memory(record)
                                                .get(
                                                        ValueLayout.JAVA_BYTE,
                                                        database.keys().valueOffset(record) + offset / BITS)
                                        >> BITS - 1 - offset % BITS
                                & 1)
                        != 0);
    }

    private void count(Words words, Reply reply) {
        long record = database.string(words, 0);
        if (record == 0) {
            reply.integer(0);
            return;
        }
        byte[] bytes = database.bytes(record);
        Span span = new Span(0, (long) BITS * bytes.length - 1);
        if (words.count() == 3 || words.count() == 4) {
            long from = words.number(1);
            long to = words.number(2);
            if (from < 0 && to < 0 && from > to) {
                reply.integer(0);
                return;
            }
            span = span(from, to, words.count() == 4 && isInBits(words, 3), bytes.length);
        } else if (words.count() != 1) {
            throw RedisError.SYNTAX;
        }
        long count = 0;
        for (long bit = span.first; bit <= span.last; ) {
            if (bit % BITS == 0 && bit + BITS - 1 <= span.last) {
                count += Integer.bitCount(bytes[(int) (bit / BITS)] & 0xFF);
                bit += BITS;
            } else {
                count += isSet(bytes, bit++) ? 1 : 0;
            }
        }
        reply.integer(count);
    }

    private static boolean isInBits(Words words, int i) {
        if (!words.is(i, "BIT") && !words.is(i, "BYTE")) {
            throw RedisError.SYNTAX;
        }
        return words.is(i, "BIT");
    }

    /** Returns the bits of a range whose negative ends count from behind. */
    private static Span span(long from, long to, boolean inBits, int length) {
        long total = inBits ? (long) BITS * length : length;
        long first = Math.max(0, from < 0 ? total + from : from);
        long last = Math.min(total - 1, Math.max(0, to < 0 ? total + to : to));
        if (first > last) {
            return new Span(1, 0);
        }
        return inBits ? new Span(first, last) : new Span(BITS * first, BITS * last + BITS - 1);
    }

    private void position(Words words, Reply reply) {
        long wanted = words.number(1);
        if (wanted != 0 && wanted != 1) {
            throw new RedisError("ERR The bit argument must be 1 or 0.");
        }
        long record = database.string(words, 0);
        if (record == 0) {
            reply.integer(wanted == 1 ? -1 : 0);
            return;
        }
        if (words.count() > 5) {
            throw RedisError.SYNTAX;
        }
        byte[] bytes = database.bytes(record);
        long from = words.count() > 2 ? words.number(2) : 0;
        boolean inBits = words.count() > 4 && isInBits(words, 4);
        long to = words.count() > 3 ? words.number(3) : -1;
        Span span = span(from, to, inBits, bytes.length);
        long bit = find(bytes, span, wanted == 1);
        if (bit < 0 && !span.isEmpty() && wanted == 0 && words.count() <= 3) {
            // Without an end the string goes on with zeros.
            bit = span.last + 1;
        }
        reply.integer(bit);
    }

    private static long find(byte[] bytes, Span span, boolean wanted) {
        int full = wanted ? 0 : 0xFF;
        for (long bit = span.first; bit <= span.last; ) {
            if (bit % BITS == 0 && (bytes[(int) (bit / BITS)] & 0xFF) == full) {
                bit += BITS;
            } else if (isSet(bytes, bit) == wanted) {
                return bit;
            } else {
                bit++;
            }
        }
        return -1;
    }

    private void combine(Words words, Reply reply) {
        boolean and = words.is(0, "AND");
        boolean or = words.is(0, "OR");
        boolean not = words.is(0, "NOT");
        if (!and && !or && !not && !words.is(0, "XOR")) {
            throw RedisError.SYNTAX;
        }
        if (not && words.count() != 3) {
            throw new RedisError("ERR BITOP NOT must be called with a single source key.");
        }
        byte[][] sources = new byte[words.count() - 2][];
        int length = 0;
        for (int i = 0; i < sources.length; i++) {
            sources[i] = bytes(words, i + 2);
            length = Math.max(length, sources[i].length);
        }
        byte[] result = Arrays.copyOf(sources[0], length);
        for (int at = 0; at < length; at++) {
            for (int i = 1; i < sources.length; i++) {
                int other = at < sources[i].length ? sources[i][at] : 0;
                result[at] = (byte) (and ? result[at] & other : or ? result[at] | other : result[at] ^ other);
            }
            result[at] = (byte) (not ? ~result[at] : result[at]);
        }
        if (length == 0) {
            database.delete(words, 1);
        } else {
            database.setString(words, 1, result, false);
        }
        reply.integer(length);
    }
}
