package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** The commands of strings. */
final class Strings {
    private final Database database;

    Strings(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.GET, this::get);
        handlers.put(RedisCommand.SET, this::set);
        handlers.put(RedisCommand.SETNX, this::setIfAbsent);
        handlers.put(RedisCommand.SETEX, (words, reply) -> setExpiring(words, reply, 1000));
        handlers.put(RedisCommand.PSETEX, (words, reply) -> setExpiring(words, reply, 1));
        handlers.put(RedisCommand.GETSET, this::getAndSet);
        handlers.put(RedisCommand.GETDEL, this::getAndDelete);
        handlers.put(RedisCommand.GETEX, this::getAndExpire);
        handlers.put(RedisCommand.STRLEN, this::length);
        handlers.put(RedisCommand.APPEND, this::append);
        handlers.put(RedisCommand.SETRANGE, this::setRange);
        handlers.put(RedisCommand.GETRANGE, this::getRange);
        handlers.put(RedisCommand.SUBSTR, this::getRange);
        handlers.put(RedisCommand.INCR, (words, reply) -> add(words, reply, 1));
        handlers.put(RedisCommand.DECR, (words, reply) -> add(words, reply, -1));
        handlers.put(RedisCommand.INCRBY, (words, reply) -> add(words, reply, words.number(1)));
        handlers.put(RedisCommand.DECRBY, this::subtract);
        handlers.put(RedisCommand.INCRBYFLOAT, this::addFraction);
        handlers.put(RedisCommand.MGET, this::getAll);
        handlers.put(RedisCommand.MSET, this::setAll);
        handlers.put(RedisCommand.MSETNX, this::setAllIfAbsent);
    }

    private void get(Words words, Reply reply) {
        tell(database.string(words, 0), reply);
    }

    private void tell(long record, Reply reply) {
        if (record == 0) {
            reply.nothing();
        } else {
            reply.bulk(
                    database.keys().memory(record),
                    database.keys().valueOffset(record),
                    database.keys().valueLength(record));
        }
    }

    private void set(Words words, Reply reply) {
        boolean ifAbsent = false;
        boolean ifPresent = false;
        boolean tellsFormer = false;
        boolean keepsExpiry = false;
        int expiryWord = 0;
        for (int i = 2; i < words.count(); i++) {
            if (words.is(i, "NX") && !ifPresent) {
                ifAbsent = true;
            } else if (words.is(i, "XX") && !ifAbsent) {
                ifPresent = true;
            } else if (words.is(i, "GET")) {
                tellsFormer = true;
            } else if (words.is(i, "KEEPTTL") && expiryWord == 0) {
                keepsExpiry = true;
            } else if (expiryWord == 0 && !keepsExpiry && i + 1 < words.count() && isExpiryWord(words, i)) {
                expiryWord = i++;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        long expiry = expiryWord == 0 ? 0 : expiryAt(words, expiryWord, "set");
        long record = tellsFormer ? database.string(words, 0) : database.find(words, 0);
        if (tellsFormer) {
            tell(record, reply);
        }
        if (ifAbsent && record != 0 || ifPresent && record == 0) {
            if (!tellsFormer) {
                reply.nothing();
            }
            return;
        }
        database.setString(words, 0, words.memory(), words.offset(1), words.length(1), keepsExpiry);
        if (expiry != 0) {
            database.expire(database.find(words, 0), expiry);
        }
        if (!tellsFormer) {
            reply.ok();
        }
    }

    private static boolean isExpiryWord(Words words, int i) {
        return words.is(i, "EX") || words.is(i, "PX") || words.is(i, "EXAT") || words.is(i, "PXAT");
    }

    private long expiryAt(Words words, int i, String command) {
        long unit = words.is(i, "EX") || words.is(i, "EXAT") ? 1000 : 1;
        boolean isRelative = words.is(i, "EX") || words.is(i, "PX");
        return expiryAt(words.number(i + 1), unit, isRelative, command);
    }

    /** Returns a moment in milliseconds since 1970; throws if there is none such. */
    private long expiryAt(long time, long unit, boolean isRelative, String command) {
        if (time <= 0
                || time > Long.MAX_VALUE / unit
                || isRelative && time * unit > Long.MAX_VALUE - database.nowMillis()) {
            throw new RedisError("ERR invalid expire time in '" + command + "' command");
        }
        return time * unit + (isRelative ? database.nowMillis() : 0);
    }

    private void setIfAbsent(Words words, Reply reply) {
        boolean isAbsent = database.find(words, 0) == 0;
        if (isAbsent) {
            database.setString(words, 0, words.memory(), words.offset(1), words.length(1), false);
        }
        reply.flag(isAbsent);
    }

    private void setExpiring(Words words, Reply reply, long unit) {
        long expiry = expiryAt(words.number(1), unit, true, unit == 1 ? "psetex" : "setex");
        database.setString(words, 0, words.memory(), words.offset(2), words.length(2), false);
        database.expire(database.find(words, 0), expiry);
        reply.ok();
    }

    private void getAndSet(Words words, Reply reply) {
        tell(database.string(words, 0), reply);
        database.setString(words, 0, words.memory(), words.offset(1), words.length(1), false);
    }

    private void getAndDelete(Words words, Reply reply) {
        tell(database.string(words, 0), reply);
        database.delete(words, 0);
    }

    private void getAndExpire(Words words, Reply reply) {
        boolean persists = words.count() == 2 && words.is(1, "PERSIST");
        boolean expires = words.count() == 3 && isExpiryWord(words, 1);
        if (!persists && !expires && words.count() != 1) {
            throw RedisError.SYNTAX;
        }
        long record = database.string(words, 0);
        long expiry = record != 0 && expires ? expiryAt(words, 1, "getex") : 0;
        tell(record, reply);
        if (record != 0 && (persists || expires)) {
            database.expire(record, expiry);
        }
    }

    private void length(Words words, Reply reply) {
        long record = database.string(words, 0);
        reply.integer(record == 0 ? 0 : database.keys().valueLength(record));
    }

    private byte[] bytes(Words words) {
        long record = database.string(words, 0);
        return record == 0 ? new byte[0] : database.bytes(record);
    }

    private void append(Words words, Reply reply) {
        byte[] former = bytes(words);
        byte[] more = words.bytes(1);
        if (former.length + more.length > database.maxValue()) {
            throw RedisError.TOO_LONG;
        }
        byte[] whole = Arrays.copyOf(former, former.length + more.length);
        System.arraycopy(more, 0, whole, former.length, more.length);
        database.setString(words, 0, whole, true);
        reply.integer(whole.length);
    }

    private void setRange(Words words, Reply reply) {
        long offset = words.number(1);
        if (offset < 0) {
            throw new RedisError("ERR offset is out of range");
        }
        byte[] piece = words.bytes(2);
        byte[] former = bytes(words);
        if (piece.length == 0) {
            reply.integer(former.length);
            return;
        }
        if (offset > database.maxValue() - piece.length) {
            throw RedisError.TOO_LONG;
        }
        byte[] whole = Arrays.copyOf(former, (int) Math.max(former.length, offset + piece.length));
        System.arraycopy(piece, 0, whole, (int) offset, piece.length);
        database.setString(words, 0, whole, true);
        reply.integer(whole.length);
    }

    private void getRange(Words words, Reply reply) {
        long from = words.number(1);
        long to = words.number(2);
        long record = database.string(words, 0);
        int length = record == 0 ? 0 : database.keys().valueLength(record);
        long first = from < 0 ? Math.max(0, length + from) : from;
        long last = Math.min(length - 1L, to < 0 ? Math.max(0, length + to) : to);
        if (length == 0 || from < 0 && to < 0 && from > to || first > last) {
            reply.bulk("");
        } else {
            reply.bulk(database.keys().memory(record), database.keys().valueOffset(record) + first, (int)
                    (last - first + 1));
        }
    }

    private void subtract(Words words, Reply reply) {
        long number = words.number(1);
        if (number == Long.MIN_VALUE) {
            throw new RedisError("ERR decrement would overflow");
        }
        add(words, reply, -number);
    }

    private void add(Words words, Reply reply, long more) {
        long record = database.string(words, 0);
        long former = record == 0
                ? 0
                : Numbers.parse(
                        database.keys().memory(record),
                        database.keys().valueOffset(record),
                        database.keys().valueLength(record),
                        RedisError.NOT_AN_INTEGER);
        long sum = former + more;
        if (((former ^ sum) & (more ^ sum)) < 0) {
            throw RedisError.OVERFLOW;
        }
        database.setString(words, 0, Long.toString(sum).getBytes(StandardCharsets.US_ASCII), true);
        reply.integer(sum);
    }

    private void addFraction(Words words, Reply reply) {
        long record = database.string(words, 0);
        double more = words.fraction(1);
        String former = record == 0 ? "0" : new String(database.bytes(record), StandardCharsets.ISO_8859_1);
        double present = Numbers.parseDouble(former, RedisError.NOT_A_FLOAT);
        if (!Double.isFinite(present + more)) {
            throw new RedisError("ERR increment would produce NaN or Infinity");
        }
        String sum = Numbers.sum(former, words.text(1));
        reply.bulk(sum);
        database.setString(words, 0, sum.getBytes(StandardCharsets.US_ASCII), true);
    }

    private void getAll(Words words, Reply reply) {
        reply.array(words.count());
        for (int i = 0; i < words.count(); i++) {
            long record = database.find(words, i);
            tell(record != 0 && database.keys().type(record) == 0 ? record : 0, reply);
        }
    }

    private void setAll(Words words, Reply reply) {
        requirePairs(words, "mset");
        for (int i = 0; i < words.count(); i += 2) {
            database.setString(words, i, words.memory(), words.offset(i + 1), words.length(i + 1), false);
        }
        reply.ok();
    }

    private void setAllIfAbsent(Words words, Reply reply) {
        requirePairs(words, "msetnx");
        for (int i = 0; i < words.count(); i += 2) {
            if (database.find(words, i) != 0) {
                reply.flag(false);
                return;
            }
        }
        for (int i = 0; i < words.count(); i += 2) {
            database.setString(words, i, words.memory(), words.offset(i + 1), words.length(i + 1), false);
        }
        reply.flag(true);
    }

    private static void requirePairs(Words words, String command) {
        if (words.count() % 2 != 0) {
            throw new RedisError("ERR wrong number of arguments for '" + command + "' command");
        }
    }
}
