package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.Draw;
import io.slipstream.keyvalue.argument.Limited;
import io.slipstream.keyvalue.argument.Scan;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.SetValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The commands of sets. */
final class Sets {
    private enum Operation {
        UNION,
        INTERSECTION,
        DIFFERENCE
    }

    private final Database database;
    private final Supplier<RandomGenerator> random;

    Sets(Database database, Supplier<RandomGenerator> random, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.random = random;
        handlers.put(RedisCommand.SADD, this::add);
        handlers.put(RedisCommand.SREM, this::remove);
        handlers.put(RedisCommand.SISMEMBER, (words, reply) -> {
            SetValue set = database.read(words, 0, SetValue.class);
            reply.flag(set != null && set.contains(new Bytes(words.bytes(1))));
        });
        handlers.put(RedisCommand.SMISMEMBER, this::areMembers);
        handlers.put(RedisCommand.SCARD, (words, reply) -> {
            SetValue set = database.read(words, 0, SetValue.class);
            reply.integer(set == null ? 0 : set.size());
        });
        handlers.put(RedisCommand.SMEMBERS, (words, reply) -> tell(members(words, 0), reply));
        handlers.put(RedisCommand.SPOP, this::pop);
        handlers.put(RedisCommand.SRANDMEMBER, this::randomMember);
        handlers.put(RedisCommand.SMOVE, this::move);
        handlers.put(
                RedisCommand.SINTER,
                (words, reply) -> tell(combine(words, 0, words.count(), Operation.INTERSECTION), reply));
        handlers.put(
                RedisCommand.SUNION, (words, reply) -> tell(combine(words, 0, words.count(), Operation.UNION), reply));
        handlers.put(
                RedisCommand.SDIFF,
                (words, reply) -> tell(combine(words, 0, words.count(), Operation.DIFFERENCE), reply));
        handlers.put(RedisCommand.SINTERSTORE, (words, reply) -> store(words, reply, Operation.INTERSECTION));
        handlers.put(RedisCommand.SUNIONSTORE, (words, reply) -> store(words, reply, Operation.UNION));
        handlers.put(RedisCommand.SDIFFSTORE, (words, reply) -> store(words, reply, Operation.DIFFERENCE));
        handlers.put(RedisCommand.SINTERCARD, this::intersectionSize);
        handlers.put(RedisCommand.SSCAN, this::scan);
    }

    private List<Bytes> members(Words words, int i) {
        SetValue set = database.read(words, i, SetValue.class);
        return set == null ? List.of() : set.members();
    }

    private static void tell(List<Bytes> members, Reply reply) {
        reply.set(members.size());
        members.forEach(member -> reply.bulk(member.array()));
    }

    private void add(Words words, Reply reply) {
        SetValue set = database.write(words, 0, SetValue.class, SetValue::new);
        int added = 0;
        for (int i = 1; i < words.count(); i++) {
            added += set.add(new Bytes(words.bytes(i))) ? 1 : 0;
        }
        reply.integer(added);
    }

    private void remove(Words words, Reply reply) {
        SetValue set = database.write(words, 0, SetValue.class);
        int removed = 0;
        for (int i = 1; set != null && i < words.count(); i++) {
            removed += set.remove(new Bytes(words.bytes(i))) ? 1 : 0;
        }
        reply.integer(removed);
    }

    private void areMembers(Words words, Reply reply) {
        SetValue set = database.read(words, 0, SetValue.class);
        reply.array(words.count() - 1);
        for (int i = 1; i < words.count(); i++) {
            reply.flag(set != null && set.contains(new Bytes(words.bytes(i))));
        }
    }

    private void pop(Words words, Reply reply) {
        if (words.count() > 2) {
            throw RedisError.SYNTAX;
        }
        long count = words.count() == 1 ? 1 : words.number(1, RedisError.NEGATIVE);
        if (count < 0) {
            throw RedisError.NEGATIVE;
        }
        SetValue set = database.write(words, 0, SetValue.class);
        List<Bytes> drawn = set == null ? List.of() : Draw.some(set.members(), count, random);
        if (words.count() == 2) {
            tell(drawn, reply);
        } else if (drawn.isEmpty()) {
            reply.nothing();
        } else {
            reply.bulk(drawn.getFirst().array());
        }
        if (set != null) {
            drawn.forEach(set::remove);
        }
    }

    private void randomMember(Words words, Reply reply) {
        if (words.count() > 2) {
            throw RedisError.SYNTAX;
        }
        List<Bytes> members = members(words, 0);
        if (words.count() == 2) {
            List<Bytes> drawn = Draw.some(members, words.number(1), random);
            reply.array(drawn.size());
            drawn.forEach(member -> reply.bulk(member.array()));
        } else if (members.isEmpty()) {
            reply.nothing();
        } else {
            reply.bulk(members.get(random.get().nextInt(members.size())).array());
        }
    }

    private void move(Words words, Reply reply) {
        SetValue from = database.write(words, 0, SetValue.class);
        Bytes member = new Bytes(words.bytes(2));
        if (from != null) {
            database.read(words, 1, SetValue.class);
        }
        boolean isThere = from != null && from.contains(member);
        if (from != null && isThere) {
            SetValue to = database.write(words, 1, SetValue.class, SetValue::new);
            from.remove(member);
            to.add(member);
        }
        reply.flag(isThere);
    }

    private List<Bytes> combine(Words words, int from, int to, Operation operation) {
        List<SetValue> sets = new ArrayList<>();
        for (int i = from; i < to; i++) {
            SetValue set = database.read(words, i, SetValue.class);
            sets.add(set == null ? new SetValue() : set);
        }
        SetValue result = new SetValue();
        if (operation == Operation.UNION) {
            sets.forEach(set -> set.members().forEach(result::add));
            return result.members();
        }
        boolean wanted = operation == Operation.INTERSECTION;
        for (Bytes member : sets.getFirst().members()) {
            boolean stays = true;
            for (int i = 1; stays && i < sets.size(); i++) {
                stays = sets.get(i).contains(member) == wanted;
            }
            if (stays) {
                result.add(member);
            }
        }
        return result.members();
    }

    private void store(Words words, Reply reply, Operation operation) {
        SetValue result = new SetValue();
        combine(words, 1, words.count(), operation).forEach(result::add);
        database.replace(new Bytes(words.bytes(0)), result);
        reply.integer(result.size());
    }

    private void intersectionSize(Words words, Reply reply) {
        RedisError wrong = new RedisError("ERR numkeys should be greater than 0");
        int behind = Limited.behindKeys(
                words, wrong, wrong, new RedisError("ERR Number of keys can't be greater than number of args"));
        long limit = Limited.limit(words, behind);
        reply.integer(Math.min(
                limit, combine(words, 1, behind, Operation.INTERSECTION).size()));
    }

    private void scan(Words words, Reply reply) {
        Scan scan = Scan.of(words, 2);
        SetValue set = database.read(words, 0, SetValue.class);
        List<byte[]> found = new ArrayList<>();
        long next = set == null
                ? 0
                : set.scan(scan.cursor(), scan.count(), member -> {
                    if (scan.matches(member)) {
                        found.add(member.array());
                    }
                });
        Scan.tell(next, found, reply);
    }
}
