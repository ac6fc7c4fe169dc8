package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.Draw;
import io.slipstream.keyvalue.argument.Scan;
import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.HashValue;
import io.slipstream.keyvalue.value.HashValue.Field;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The commands of hashes. */
final class Hashes {
    private final Database database;
    private final Supplier<RandomGenerator> random;

    Hashes(Database database, Supplier<RandomGenerator> random, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.random = random;
        handlers.put(RedisCommand.HSET, (words, reply) -> reply.integer(set(words, "hset")));
        handlers.put(RedisCommand.HMSET, (words, reply) -> {
            set(words, "hmset");
            reply.ok();
        });
        handlers.put(RedisCommand.HSETNX, this::setIfAbsent);
        handlers.put(RedisCommand.HGET, (words, reply) -> tell(get(words, 1), reply));
        handlers.put(RedisCommand.HMGET, this::getAll);
        handlers.put(RedisCommand.HGETALL, (words, reply) -> all(words, reply, true, true));
        handlers.put(RedisCommand.HKEYS, (words, reply) -> all(words, reply, true, false));
        handlers.put(RedisCommand.HVALS, (words, reply) -> all(words, reply, false, true));
        handlers.put(RedisCommand.HDEL, this::delete);
        handlers.put(RedisCommand.HLEN, this::length);
        handlers.put(RedisCommand.HSTRLEN, (words, reply) -> {
            byte[] value = get(words, 1);
            reply.integer(value == null ? 0 : value.length);
        });
        handlers.put(RedisCommand.HEXISTS, (words, reply) -> reply.flag(get(words, 1) != null));
        handlers.put(RedisCommand.HINCRBY, this::add);
        handlers.put(RedisCommand.HINCRBYFLOAT, this::addFraction);
        handlers.put(RedisCommand.HRANDFIELD, this::randomField);
        handlers.put(RedisCommand.HSCAN, this::scan);
    }

    private byte @Nullable [] get(Words words, int i) {
        HashValue hash = database.read(words, 0, HashValue.class);
        return hash == null ? null : hash.get(new Bytes(words.bytes(i)));
    }

    private static void tell(byte @Nullable [] value, Reply reply) {
        if (value == null) {
            reply.nothing();
        } else {
            reply.bulk(value);
        }
    }

    private int set(Words words, String command) {
        if (words.count() % 2 == 0) {
            throw new RedisError("ERR wrong number of arguments for '" + command + "' command");
        }
        HashValue hash = database.write(words, 0, HashValue.class, HashValue::new);
        int added = 0;
        for (int i = 1; i < words.count(); i += 2) {
            added += hash.put(new Bytes(words.bytes(i)), words.bytes(i + 1)) ? 1 : 0;
        }
        return added;
    }

    private void setIfAbsent(Words words, Reply reply) {
        HashValue hash = database.write(words, 0, HashValue.class, HashValue::new);
        Bytes field = new Bytes(words.bytes(1));
        boolean isAbsent = hash.get(field) == null;
        if (isAbsent) {
            hash.put(field, words.bytes(2));
        }
        reply.flag(isAbsent);
    }

    private void getAll(Words words, Reply reply) {
        HashValue hash = database.read(words, 0, HashValue.class);
        reply.array(words.count() - 1);
        for (int i = 1; i < words.count(); i++) {
            tell(hash == null ? null : hash.get(new Bytes(words.bytes(i))), reply);
        }
    }

    private void all(Words words, Reply reply, boolean withFields, boolean withValues) {
        HashValue hash = database.read(words, 0, HashValue.class);
        int size = hash == null ? 0 : hash.size();
        if (withFields && withValues) {
            reply.map(size);
        } else {
            reply.array(size);
        }
        if (hash != null) {
            hash.forEach((field, value) -> {
                if (withFields) {
                    reply.bulk(field.array());
                }
                if (withValues) {
                    reply.bulk(value);
                }
            });
        }
    }

    private void delete(Words words, Reply reply) {
        HashValue hash = database.write(words, 0, HashValue.class);
        int removed = 0;
        for (int i = 1; hash != null && i < words.count(); i++) {
            removed += hash.remove(new Bytes(words.bytes(i))) ? 1 : 0;
        }
        reply.integer(removed);
    }

    private void length(Words words, Reply reply) {
        HashValue hash = database.read(words, 0, HashValue.class);
        reply.integer(hash == null ? 0 : hash.size());
    }

    private void add(Words words, Reply reply) {
        long more = words.number(2);
        byte[] present = get(words, 1);
        long former = present == null
                ? 0
                : Numbers.parse(
                        MemorySegment.ofArray(present),
                        0,
                        present.length,
                        new RedisError("ERR hash value is not an integer"));
        long sum = former + more;
        if (((former ^ sum) & (more ^ sum)) < 0) {
            throw RedisError.OVERFLOW;
        }
        put(words, Long.toString(sum));
        reply.integer(sum);
    }

    private void addFraction(Words words, Reply reply) {
        double more = words.fraction(2);
        if (Double.isInfinite(more)) {
            throw new RedisError("ERR value is NaN or Infinity");
        }
        byte[] present = get(words, 1);
        String former = present == null ? "0" : new String(present, StandardCharsets.ISO_8859_1);
        double sum = Numbers.parseDouble(former, new RedisError("ERR hash value is not a float")) + more;
        if (Double.isInfinite(sum) || Double.isNaN(sum)) {
            throw new RedisError("ERR increment would produce NaN or Infinity");
        }
        String text = Numbers.sum(former, words.text(2));
        reply.bulk(text);
        put(words, text);
    }

    private void put(Words words, String value) {
        database.write(words, 0, HashValue.class, HashValue::new)
                .put(new Bytes(words.bytes(1)), value.getBytes(StandardCharsets.US_ASCII));
    }

    private void randomField(Words words, Reply reply) {
        HashValue hash = database.read(words, 0, HashValue.class);
        List<Field> all = hash == null ? List.of() : hash.fields();
        boolean withValues = words.count() == 3;
        if (words.count() > 3 || withValues && !words.is(2, "WITHVALUES")) {
            throw RedisError.SYNTAX;
        }
        if (words.count() == 1) {
            tell(
                    all.isEmpty()
                            ? null
                            : all.get(random.get().nextInt(all.size())).name().array(),
                    reply);
            return;
        }
        List<Field> drawn = Draw.some(all, words.number(1), random);
        boolean inPairs = withValues && reply.isThird();
        reply.array(withValues && !inPairs ? 2L * drawn.size() : drawn.size());
        for (Field each : drawn) {
            if (inPairs) {
                reply.array(2);
            }
            reply.bulk(each.name().array());
            if (withValues) {
                reply.bulk(each.value());
            }
        }
    }

    private void scan(Words words, Reply reply) {
        Scan scan = Scan.of(words, 2);
        HashValue hash = database.read(words, 0, HashValue.class);
        List<byte[]> found = new ArrayList<>();
        long next = hash == null
                ? 0
                : hash.scan(scan.cursor(), scan.count(), field -> {
                    if (scan.matches(field.name())) {
                        found.add(field.name().array());
                        found.add(field.value());
                    }
                });
        Scan.tell(next, found, reply);
    }
}
