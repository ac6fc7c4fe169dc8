package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.resp.Glob;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.StreamValue;
import io.slipstream.keyvalue.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The commands of keys, whatever they hold. */
final class Keys {
    /** Redis keeps strings of up to so many bytes beside their header. */
    private static final int MAX_EMBEDDED = 44;

    private static final int LOOKS = 100;

    private final Database database;
    private final Supplier<RandomGenerator> random;

    Keys(Database database, Supplier<RandomGenerator> random, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.random = random;
        handlers.put(RedisCommand.DEL, this::delete);
        handlers.put(RedisCommand.UNLINK, this::delete);
        handlers.put(RedisCommand.EXISTS, this::exists);
        handlers.put(RedisCommand.TOUCH, this::exists);
        handlers.put(RedisCommand.EXPIRE, (words, reply) -> expire(words, reply, "expire", 1000, true));
        handlers.put(RedisCommand.PEXPIRE, (words, reply) -> expire(words, reply, "pexpire", 1, true));
        handlers.put(RedisCommand.EXPIREAT, (words, reply) -> expire(words, reply, "expireat", 1000, false));
        handlers.put(RedisCommand.PEXPIREAT, (words, reply) -> expire(words, reply, "pexpireat", 1, false));
        handlers.put(RedisCommand.TTL, (words, reply) -> left(words, reply, 1000, true));
        handlers.put(RedisCommand.PTTL, (words, reply) -> left(words, reply, 1, true));
        handlers.put(RedisCommand.EXPIRETIME, (words, reply) -> left(words, reply, 1000, false));
        handlers.put(RedisCommand.PEXPIRETIME, (words, reply) -> left(words, reply, 1, false));
        handlers.put(RedisCommand.PERSIST, this::persist);
        handlers.put(RedisCommand.TYPE, this::type);
        handlers.put(RedisCommand.RENAME, (words, reply) -> rename(words, reply, false));
        handlers.put(RedisCommand.RENAMENX, (words, reply) -> rename(words, reply, true));
        handlers.put(RedisCommand.COPY, this::copy);
        handlers.put(RedisCommand.RANDOMKEY, this::randomKey);
        handlers.put(RedisCommand.KEYS, this::keys);
        handlers.put(RedisCommand.SCAN, this::scan);
        handlers.put(RedisCommand.OBJECT, this::object);
        handlers.put(
                RedisCommand.DBSIZE,
                (words, reply) -> reply.integer(database.keys().count()));
        handlers.put(RedisCommand.FLUSHDB, (words, reply) -> flush(words, reply, database::clear));
        handlers.put(RedisCommand.FLUSHALL, (words, reply) -> flush(words, reply, database::clearAll));
        handlers.put(RedisCommand.MOVE, this::move);
        handlers.put(RedisCommand.DUMP, (words, reply) -> {
            throw new RedisError("ERR DUMP is not here");
        });
    }

    private void delete(Words words, Reply reply) {
        int count = 0;
        for (int i = 0; i < words.count(); i++) {
            count += database.delete(words, i) ? 1 : 0;
        }
        reply.integer(count);
    }

    private void exists(Words words, Reply reply) {
        int count = 0;
        for (int i = 0; i < words.count(); i++) {
            count += database.find(words, i) != 0 ? 1 : 0;
        }
        reply.integer(count);
    }

    private void expire(Words words, Reply reply, String command, long unit, boolean isRelative) {
        long time = words.number(1);
        if (time > Long.MAX_VALUE / unit
                || time < Long.MIN_VALUE / unit
                || isRelative && time > 0 && time * unit > Long.MAX_VALUE - database.nowMillis()) {
            throw new RedisError("ERR invalid expire time in '" + command + "' command");
        }
        long at = time * unit + (isRelative ? database.nowMillis() : 0);
        boolean ifNone = false;
        boolean ifSome = false;
        boolean ifLater = false;
        boolean ifSooner = false;
        for (int i = 2; i < words.count(); i++) {
            ifNone |= words.is(i, "NX");
            ifSome |= words.is(i, "XX");
            ifLater |= words.is(i, "GT");
            ifSooner |= words.is(i, "LT");
            if (!words.is(i, "NX") && !words.is(i, "XX") && !words.is(i, "GT") && !words.is(i, "LT")) {
                throw new RedisError("ERR Unsupported option " + words.shown(i));
            }
        }
        if (ifNone && (ifSome || ifLater || ifSooner)) {
            throw new RedisError("ERR NX and XX, GT or LT options at the same time are not compatible");
        }
        if (ifLater && ifSooner) {
            throw new RedisError("ERR GT and LT options at the same time are not compatible");
        }
        long record = database.find(words, 0);
        long present = record == 0 ? 0 : database.keys().expiry(record);
        if (record == 0
                || ifNone && present != 0
                || ifSome && present == 0
                || ifLater && (present == 0 || at <= present)
                || ifSooner && present != 0 && at >= present) {
            reply.flag(false);
            return;
        }
        if (at <= database.nowMillis()) {
            database.remove(record);
        } else {
            database.expire(record, at);
        }
        reply.flag(true);
    }

    private void left(Words words, Reply reply, long unit, boolean isRelative) {
        long record = database.find(words, 0);
        if (record == 0) {
            reply.integer(-2);
        } else if (database.keys().expiry(record) == 0) {
            reply.integer(-1);
        } else {
            long millis = database.keys().expiry(record) - (isRelative ? database.nowMillis() : 0);
            reply.integer(isRelative ? (millis + unit / 2) / unit : millis / unit);
        }
    }

    private void persist(Words words, Reply reply) {
        long record = database.find(words, 0);
        boolean had = record != 0 && database.keys().expiry(record) != 0;
        if (had) {
            database.expire(record, 0);
        }
        reply.flag(had);
    }

    private void type(Words words, Reply reply) {
        long record = database.find(words, 0);
        reply.simple(record == 0 ? "none" : Value.typeName(database.keys().type(record)));
    }

    private void rename(Words words, Reply reply, boolean ifAbsent) {
        long record = database.find(words, 0);
        if (record == 0) {
            throw RedisError.NO_SUCH_KEY;
        }
        Bytes to = new Bytes(words.bytes(1));
        boolean isSame = to.equals(database.key(record));
        boolean isFree = database.find(words, 1) == 0;
        if (!isSame && (isFree || !ifAbsent)) {
            database.move(database.find(words, 0), database.selected(), to, false);
        }
        if (ifAbsent) {
            reply.flag(isFree);
        } else {
            reply.ok();
        }
    }

    private void copy(Words words, Reply reply) {
        boolean replaces = false;
        int number = database.selected();
        for (int i = 2; i < words.count(); i++) {
            if (words.is(i, "REPLACE")) {
                replaces = true;
            } else if (words.is(i, "DB") && i + 1 < words.count()) {
                number = database.number(words, ++i);
            } else {
                throw RedisError.SYNTAX;
            }
        }
        Bytes to = new Bytes(words.bytes(1));
        if (number == database.selected() && to.equals(new Bytes(words.bytes(0)))) {
            throw RedisError.SAME_OBJECT;
        }
        long record = database.find(words, 0);
        boolean copies = record != 0 && (replaces || !database.isThere(number, to));
        if (copies) {
            database.move(database.find(words, 0), number, to, true);
        }
        reply.flag(copies);
    }

    private void move(Words words, Reply reply) {
        int number = database.number(words, 1);
        if (number == database.selected()) {
            throw RedisError.SAME_OBJECT;
        }
        Bytes key = new Bytes(words.bytes(0));
        boolean moves = database.find(words, 0) != 0 && !database.isThere(number, key);
        if (moves) {
            database.move(database.find(words, 0), number, key, false);
        }
        reply.flag(moves);
    }

    /** One of some keys in a row, from a random hash on. */
    private void randomKey(Words words, Reply reply) {
        List<Bytes> found = new ArrayList<>();
        long start = random.get().nextLong(Keyspace.END);
        long at = start;
        boolean wrapped = false;
        while (found.size() < LOOKS && !(wrapped && at > start)) {
            collect(at, found, null, (byte) -1);
            at = database.keys().nextSlot(at);
            wrapped |= at >= Keyspace.END;
            at %= Keyspace.END;
        }
        if (found.isEmpty()) {
            reply.nothing();
        } else {
            int some = Math.min(found.size(), LOOKS);
            reply.bulk(found.get(random.get().nextInt(some)).array());
        }
    }

    /** Adds those keys with hashes from {@code cursor} on that are in its slot. */
    private void collect(long cursor, List<Bytes> into, @Nullable Glob pattern, byte type) {
        int found = database.keys().inOrder(cursor);
        for (int i = 0; i < found; i++) {
            addIfWanted(database.keys().ordered(i), into, pattern, type);
        }
    }

    private void addIfWanted(long record, List<Bytes> into, @Nullable Glob pattern, byte type) {
        if (!database.isExpired(record) && (type < 0 || database.keys().type(record) == type)) {
            Bytes key = database.key(record);
            if (pattern == null || pattern.matches(key.array())) {
                into.add(key);
            }
        }
    }

    private void keys(Words words, Reply reply) {
        List<Bytes> found = new ArrayList<>();
        Glob pattern = new Glob(words.bytes(0));
        for (long slot = 0; slot < Keyspace.END; slot = database.keys().nextSlot(slot)) {
            collect(slot, found, pattern, (byte) -1);
        }
        tell(found, reply);
    }

    private static void tell(List<Bytes> found, Reply reply) {
        reply.array(found.size());
        found.forEach(key -> reply.bulk(key.array()));
    }

    private void scan(Words words, Reply reply) {
        long cursor = words.number(0, new RedisError("ERR invalid cursor"));
        Glob pattern = null;
        byte type = -1;
        long count = 10;
        for (int i = 1; i < words.count(); i += 2) {
            if (i + 1 == words.count()) {
                throw RedisError.SYNTAX;
            }
            if (words.is(i, "MATCH")) {
                pattern = new Glob(words.bytes(i + 1));
            } else if (words.is(i, "COUNT")) {
                count = words.number(i + 1);
                if (count < 1) {
                    throw RedisError.SYNTAX;
                }
            } else if (words.is(i, "TYPE")) {
                type = typeOf(words.text(i + 1));
            } else {
                throw RedisError.SYNTAX;
            }
        }
        List<Bytes> found = new ArrayList<>();
        long at = Math.floorMod(cursor, Keyspace.END);
        long seen = 0;
        while (at < Keyspace.END && seen < count) {
            long next = database.keys().nextSlot(at);
            int here = database.keys().inOrder(at);
            for (int i = 0; i < here; i++) {
                long record = database.keys().ordered(i);
                if (seen >= count && database.keys().hash(record) > at) {
                    // The keys of one hash are told together, since the cursor is a hash.
                    next = database.keys().hash(record);
                    break;
                }
                seen++;
                at = database.keys().hash(record);
                addIfWanted(record, found, pattern, type);
            }
            at = next;
        }
        reply.array(2).bulk(Long.toString(at >= Keyspace.END ? 0 : at));
        tell(found, reply);
    }

    private static byte typeOf(String name) {
        for (byte type = 0; type <= StreamValue.TYPE; type++) {
            if (Value.typeName(type).equalsIgnoreCase(name)) {
                return type;
            }
        }
        return Byte.MAX_VALUE;
    }

    private void object(Words words, Reply reply) {
        if (words.is(0, "HELP") || words.count() != 2) {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(0)
                    + "'. Try OBJECT HELP.");
        }
        long record = database.find(words, 1);
        if (record == 0) {
            reply.nothing();
        } else if (words.is(0, "ENCODING")) {
            reply.bulk(encoding(record));
        } else if (words.is(0, "REFCOUNT")) {
            reply.integer(1);
        } else if (words.is(0, "IDLETIME")) {
            reply.integer(0);
        } else if (words.is(0, "FREQ")) {
            throw new RedisError("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please "
                    + "note that when switching between policies at runtime LRU and LFU data will take some time to "
                    + "adjust.");
        } else {
            throw RedisError.SYNTAX;
        }
    }

    private String encoding(long record) {
        if (database.keys().type(record) != Value.STRING) {
            return database.value(record).encoding();
        }
        return new Bytes(database.bytes(record)).isInteger()
                ? "int"
                : database.keys().valueLength(record) <= MAX_EMBEDDED ? "embstr" : "raw";
    }

    private void flush(Words words, Reply reply, Runnable action) {
        if (words.count() > 1 || words.count() == 1 && !words.is(0, "SYNC") && !words.is(0, "ASYNC")) {
            throw RedisError.SYNTAX;
        }
        action.run();
        reply.ok();
    }
}
