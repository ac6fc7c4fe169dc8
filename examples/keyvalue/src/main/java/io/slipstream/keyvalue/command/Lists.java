package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.Range;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.ListValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The commands of lists, but for those that wait. */
final class Lists {
    private final Database database;

    Lists(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.LPUSH, (words, reply) -> push(words, reply, true, false));
        handlers.put(RedisCommand.RPUSH, (words, reply) -> push(words, reply, false, false));
        handlers.put(RedisCommand.LPUSHX, (words, reply) -> push(words, reply, true, true));
        handlers.put(RedisCommand.RPUSHX, (words, reply) -> push(words, reply, false, true));
        handlers.put(RedisCommand.LPOP, (words, reply) -> pop(words, reply, true));
        handlers.put(RedisCommand.RPOP, (words, reply) -> pop(words, reply, false));
        handlers.put(RedisCommand.LLEN, this::length);
        handlers.put(RedisCommand.LRANGE, this::range);
        handlers.put(RedisCommand.LINDEX, this::at);
        handlers.put(RedisCommand.LSET, this::set);
        handlers.put(RedisCommand.LINSERT, this::insert);
        handlers.put(RedisCommand.LREM, this::remove);
        handlers.put(RedisCommand.LTRIM, this::trim);
        handlers.put(RedisCommand.LPOS, this::positions);
        handlers.put(RedisCommand.RPOPLPUSH, (words, reply) -> move(words, reply, false, true));
        handlers.put(RedisCommand.LMOVE, (words, reply) -> move(words, reply, isLeft(words, 2), isLeft(words, 3)));
    }

    static boolean isLeft(Words words, int i) {
        if (!words.is(i, "LEFT") && !words.is(i, "RIGHT")) {
            throw RedisError.SYNTAX;
        }
        return words.is(i, "LEFT");
    }

    /** Tells the element at an end, and then removes it. */
    static byte[] pop(ListValue list, boolean left, Reply reply) {
        byte[] element = list.get(left ? 0 : list.size() - 1);
        reply.bulk(element);
        remove(list, left, 1);
        return element;
    }

    /** Tells so many elements from an end on, and then removes them. */
    static void pop(ListValue list, boolean left, int count, Reply reply) {
        reply.array(count);
        for (int i = 0; i < count; i++) {
            reply.bulk(list.get(left ? i : list.size() - 1 - i));
        }
        remove(list, left, count);
    }

    private static void remove(ListValue list, boolean left, int count) {
        for (int i = 0; i < count; i++) {
            if (left) {
                list.removeFirst();
            } else {
                list.removeLast();
            }
        }
    }

    static void push(ListValue list, byte[] element, boolean left) {
        if (left) {
            list.addFirst(element);
        } else {
            list.addLast(element);
        }
    }

    private void push(Words words, Reply reply, boolean left, boolean ifPresent) {
        ListValue list = ifPresent
                ? database.write(words, 0, ListValue.class)
                : database.write(words, 0, ListValue.class, ListValue::new);
        if (list == null) {
            reply.integer(0);
            return;
        }
        for (int i = 1; i < words.count(); i++) {
            push(list, words.bytes(i), left);
        }
        reply.integer(list.size());
    }

    private void pop(Words words, Reply reply, boolean left) {
        if (words.count() > 2) {
            throw new RedisError("ERR wrong number of arguments for '" + (left ? "lpop" : "rpop") + "' command");
        }
        long count = words.count() == 1 ? -1 : words.number(1, RedisError.NEGATIVE);
        if (words.count() == 2 && count < 0) {
            throw RedisError.NEGATIVE;
        }
        ListValue list = database.write(words, 0, ListValue.class);
        if (list == null && count >= 0) {
            reply.noArray();
        } else if (list == null) {
            reply.nothing();
        } else if (count < 0) {
            pop(list, left, reply);
        } else {
            pop(list, left, (int) Math.min(count, list.size()), reply);
        }
    }

    private void length(Words words, Reply reply) {
        ListValue list = database.read(words, 0, ListValue.class);
        reply.integer(list == null ? 0 : list.size());
    }

    private void range(Words words, Reply reply) {
        long from = words.number(1);
        long to = words.number(2);
        ListValue list = database.read(words, 0, ListValue.class);
        Range range = Range.of(from, to, list == null ? 0 : list.size());
        reply.array(range.size());
        for (int i = range.first(); list != null && i < range.end(); i++) {
            reply.bulk(list.get(i));
        }
    }

    private void at(Words words, Reply reply) {
        ListValue list = database.read(words, 0, ListValue.class);
        if (list == null) {
            reply.nothing();
            return;
        }
        long index = words.number(1);
        long at = index < 0 ? list.size() + index : index;
        if (at < 0 || at >= list.size()) {
            reply.nothing();
        } else {
            reply.bulk(list.get((int) at));
        }
    }

    private void set(Words words, Reply reply) {
        ListValue list = database.write(words, 0, ListValue.class);
        if (list == null) {
            throw RedisError.NO_SUCH_KEY;
        }
        long index = words.number(1);
        long at = index < 0 ? list.size() + index : index;
        if (at < 0 || at >= list.size()) {
            throw new RedisError("ERR index out of range");
        }
        list.set((int) at, words.bytes(2));
        reply.ok();
    }

    private void insert(Words words, Reply reply) {
        boolean before = words.is(1, "BEFORE");
        if (!before && !words.is(1, "AFTER")) {
            throw RedisError.SYNTAX;
        }
        ListValue list = database.write(words, 0, ListValue.class);
        byte[] pivot = words.bytes(2);
        int at = 0;
        while (list != null && at < list.size() && !Arrays.equals(list.get(at), pivot)) {
            at++;
        }
        if (list == null) {
            reply.integer(0);
        } else if (at == list.size()) {
            reply.integer(-1);
        } else {
            list.insert(before ? at : at + 1, words.bytes(3));
            reply.integer(list.size());
        }
    }

    private void remove(Words words, Reply reply) {
        long count = words.number(1);
        byte[] element = words.bytes(2);
        ListValue list = database.write(words, 0, ListValue.class);
        reply.integer(list == null ? 0 : list.removeEqual(element, count));
    }

    private void trim(Words words, Reply reply) {
        long from = words.number(1);
        long to = words.number(2);
        ListValue list = database.write(words, 0, ListValue.class);
        if (list != null) {
            Range range = Range.of(from, to, list.size());
            for (int left = list.size() - range.end(); left > 0; left--) {
                list.removeLast();
            }
            for (int left = list.size() - range.size(); left > 0; left--) {
                list.removeFirst();
            }
        }
        reply.ok();
    }

    private void positions(Words words, Reply reply) {
        long rank = 1;
        long count = -1;
        long most = 0;
        for (int i = 2; i < words.count(); i += 2) {
            if (i + 1 == words.count()) {
                throw RedisError.SYNTAX;
            }
            if (words.is(i, "RANK")) {
                rank = words.number(i + 1);
                if (rank == 0 || rank == Long.MIN_VALUE) {
                    throw new RedisError("ERR RANK can't be zero: use 1 to start from the first match, 2 from the "
                            + "second ... or use negative to start from the end of the list");
                }
            } else if (words.is(i, "COUNT")) {
                count = atLeastZero(words, i + 1, "COUNT");
            } else if (words.is(i, "MAXLEN")) {
                most = atLeastZero(words, i + 1, "MAXLEN");
            } else {
                throw RedisError.SYNTAX;
            }
        }
        ListValue list = database.read(words, 0, ListValue.class);
        List<Integer> found = list == null ? List.of() : positions(list, words.bytes(1), rank, count, most);
        if (count >= 0) {
            reply.array(found.size());
            found.forEach(reply::integer);
        } else if (found.isEmpty()) {
            reply.nothing();
        } else {
            reply.integer(found.getFirst());
        }
    }

    private static long atLeastZero(Words words, int i, String what) {
        RedisError negative = new RedisError("ERR " + what + " can't be negative");
        long value = words.number(i, negative);
        if (value < 0) {
            throw negative;
        }
        return value;
    }

    private static List<Integer> positions(ListValue list, byte[] element, long rank, long count, long most) {
        List<Integer> found = new ArrayList<>();
        long wanted = count < 0 ? 1 : count == 0 ? Long.MAX_VALUE : count;
        long skipped = Math.abs(rank) - 1;
        long looks = most == 0 ? list.size() : Math.min(most, list.size());
        for (int i = 0; i < looks && found.size() < wanted; i++) {
            int at = rank > 0 ? i : list.size() - 1 - i;
            if (Arrays.equals(list.get(at), element) && skipped-- <= 0) {
                found.add(at);
            }
        }
        return found;
    }

    private void move(Words words, Reply reply, boolean fromLeft, boolean toLeft) {
        ListValue from = database.write(words, 0, ListValue.class);
        if (from == null) {
            reply.nothing();
            return;
        }
        Bytes target = new Bytes(words.bytes(1));
        move(database, from, target, fromLeft, toLeft, reply);
    }

    /** Tells the element at an end of a list, and moves it to an end of another one, which is made if there is none. */
    static void move(Database database, ListValue from, Bytes target, boolean fromLeft, boolean toLeft, Reply reply) {
        ListValue to = database.write(target, ListValue.class);
        byte[] element = pop(from, fromLeft, reply);
        push(to == null ? database.write(target, ListValue.class, ListValue::new) : to, element, toLeft);
    }
}
