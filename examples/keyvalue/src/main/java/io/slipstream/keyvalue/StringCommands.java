package io.slipstream.keyvalue;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.service.machine.Output;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Commands of strings. */
final class StringCommands {
    private final Database database;
    private final Keyspace keys;

    StringCommands(Database database) {
        this.database = database;
        this.keys = database.keys();
    }

    /** Returns whether the command is one of strings. */
    boolean execute(RedisCommand command, Words words, Reply reply, long version, Output output) {
        switch (command) {
            case GET -> value(database.find(words, 0), reply);
            case SET -> set(words, reply, version, output);
            case SETNX -> {
                boolean absent = database.find(words, 0) == 0;
                if (absent) {
                    setWord(words, 0, 1, version);
                }
                reply.flag(absent);
            }
            case SETEX, PSETEX -> {
                long at = Deadline.read(words, 1, command == RedisCommand.SETEX, false, true, command.text(), output);
                database.expire(setWord(words, 0, 2, version), at, output);
                reply.ok();
            }
            case GETSET -> {
                value(database.find(words, 0), reply);
                setWord(words, 0, 1, version);
            }
            case GETDEL -> {
                value(database.find(words, 0), reply);
                database.remove(words, 0);
            }
            case GETEX -> getAndExpire(words, reply, output);
            case STRLEN -> reply.integer(lengthOf(database.find(words, 0)));
            case APPEND -> {
                long old = lengthOf(database.find(words, 0));
                reply.integer(write(words, old, 1, version));
            }
            case SETRANGE -> setRange(words, reply, version);
            case GETRANGE, SUBSTR -> range(words, reply);
            case INCR -> add(words, 1, version, reply);
            case DECR -> add(words, -1, version, reply);
            case INCRBY -> add(words, words.number(1), version, reply);
            case DECRBY -> {
                if (words.number(1) == Long.MIN_VALUE) {
                    throw new RedisError("ERR decrement would overflow");
                }
                add(words, -words.number(1), version, reply);
            }
            case MGET -> {
                reply.array(words.count());
                for (int i = 0; i < words.count(); i++) {
                    value(database.find(words, i), reply);
                }
            }
            case MSET, MSETNX -> setMany(command, words, reply, version);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void set(Words words, Reply reply, long version, Output output) {
        boolean onlyNew = false;
        boolean onlyOld = false;
        boolean get = false;
        boolean keep = false;
        long at = 0;
        for (int i = 2; i < words.count(); i++) {
            if (words.is(i, "NX") && !onlyOld) {
                onlyNew = true;
            } else if (words.is(i, "XX") && !onlyNew) {
                onlyOld = true;
            } else if (words.is(i, "GET")) {
                get = true;
            } else if (words.is(i, "KEEPTTL") && at == 0) {
                keep = true;
            } else if (at == 0 && !keep && i + 1 < words.count()) {
                at = option(words, i++, "set", output);
            } else {
                throw RedisError.SYNTAX;
            }
        }
        long old = database.find(words, 0);
        if (get) {
            value(old, reply);
        }
        if (onlyNew && old != 0 || onlyOld && old == 0) {
            if (!get) {
                reply.nothing();
            }
            return;
        }
        long expiry = keep && old != 0 ? keys.expiry(old) : at;
        long record = setWord(words, 0, 1, version);
        if (expiry != 0) {
            expireOrRemove(words, record, expiry, output);
        }
        if (!get) {
            reply.ok();
        }
    }

    private void getAndExpire(Words words, Reply reply, Output output) {
        boolean persist = words.count() == 2 && words.is(1, "PERSIST");
        if (!persist && words.count() != 1 && words.count() != 3) {
            throw RedisError.SYNTAX;
        }
        long at = words.count() == 3 ? option(words, 1, "getex", output) : 0;
        long record = database.find(words, 0);
        value(record, reply);
        if (record != 0 && at != 0) {
            expireOrRemove(words, record, at, output);
        } else if (record != 0 && persist) {
            database.expire(record, 0, output);
        }
    }

    private void expireOrRemove(Words words, long record, long at, Output output) {
        if (at <= Deadline.nowMillis(output)) {
            database.remove(words, 0);
        } else {
            database.expire(record, at, output);
        }
    }

    private static long option(Words words, int i, String command, Output output) {
        boolean seconds = words.is(i, "EX") || words.is(i, "EXAT");
        boolean absolute = words.is(i, "EXAT") || words.is(i, "PXAT");
        if (!seconds && !absolute && !words.is(i, "PX")) {
            throw RedisError.SYNTAX;
        }
        return Deadline.read(words, i + 1, seconds, absolute, true, command, output);
    }

    private void setRange(Words words, Reply reply, long version) {
        long offset = words.number(1);
        if (offset < 0) {
            throw new RedisError("ERR offset is out of range");
        }
        reply.integer(words.length(2) == 0 ? lengthOf(database.find(words, 0)) : write(words, offset, 2, version));
    }

    /** Writes a word into the value of word 0 from {@code offset} on, and zeros before it; returns the new length. */
    private long write(Words words, long offset, int from, long version) {
        if (offset > Database.MAX_VALUE) {
            throw RedisError.TOO_LONG;
        }
        int old = lengthOf(database.find(words, 0));
        long length = Math.max(old, offset + words.length(from));
        long record = database.put(words, 0, length, version);
        MemorySegment memory = keys.memory(record);
        long value = keys.valueOffset(record);
        if (offset > old) {
            memory.asSlice(value + old, offset - old).fill((byte) 0);
        }
        MemorySegment.copy(words.memory(), words.offset(from), memory, value + offset, words.length(from));
        database.written(record);
        return length;
    }

    private void range(Words words, Reply reply) {
        long record = database.find(words, 0);
        long length = lengthOf(record);
        long from = words.number(1);
        long to = words.number(2);
        from = Math.max(0, from < 0 ? from + length : from);
        to = Math.min(length - 1, to < 0 ? Math.max(0, to + length) : to);
        boolean isTurned = words.number(1) < 0 && words.number(2) < 0 && words.number(1) > words.number(2);
        if (record == 0 || from > to || isTurned) {
            reply.bulk("");
        } else {
            reply.bulk(keys.memory(record), keys.valueOffset(record) + from, (int) (to - from + 1));
        }
    }

    private void add(Words words, long more, long version, Reply reply) {
        long record = database.find(words, 0);
        long old = record == 0 ? 0 : Numbers.parse(keys.memory(record), keys.valueOffset(record),
                keys.valueLength(record), RedisError.NOT_AN_INTEGER);
        long sum = old + more;
        if (((old ^ sum) & (more ^ sum)) < 0) {
            throw RedisError.OVERFLOW;
        }
        byte[] digits = Long.toString(sum).getBytes(StandardCharsets.ISO_8859_1);
        long changed = database.put(words, 0, digits.length, version);
        MemorySegment.copy(MemorySegment.ofArray(digits), 0, keys.memory(changed), keys.valueOffset(changed),
                digits.length);
        database.written(changed);
        reply.integer(sum);
    }

    private void setMany(RedisCommand command, Words words, Reply reply, long version) {
        if (words.count() % 2 != 0) {
            throw new RedisError("ERR wrong number of arguments for '" + command.text() + "' command");
        }
        boolean all = true;
        for (int i = 0; command == RedisCommand.MSETNX && i < words.count(); i += 2) {
            all &= database.find(words, i) == 0;
        }
        for (int i = 0; all && i < words.count(); i += 2) {
            setWord(words, i, i + 1, version);
        }
        if (command == RedisCommand.MSETNX) {
            reply.flag(all);
        } else {
            reply.ok();
        }
    }

    private long setWord(Words words, int key, int value, long version) {
        return database.set(words, key, words.memory(), words.offset(value), words.length(value), version);
    }

    private int lengthOf(long record) {
        return record == 0 ? 0 : keys.valueLength(record);
    }

    private void value(long record, Reply reply) {
        if (record == 0) {
            reply.nothing();
        } else {
            reply.bulk(keys.memory(record), keys.valueOffset(record), keys.valueLength(record));
        }
    }
}
