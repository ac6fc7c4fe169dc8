package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.ListValue;
import io.slipstream.keyvalue.value.SortedSet;
import io.slipstream.keyvalue.value.SortedSet.Node;
import io.slipstream.keyvalue.value.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * What a command asks for that takes from the first of some keys which has something.
 *
 * @param keys where to look, in order
 * @param type what they have to hold
 * @param ready whether a value has something for it
 * @param seconds how long it waits if nothing is there, 0 for ever; of no meaning for a command that does not wait
 * @param take pops from the value of a key, and answers
 */
record Pop<V extends Value>(
        List<Bytes> keys, Class<V> type, BiPredicate<Bytes, V> ready, double seconds, Take<V> take) {
    private static final RedisError NO_KEYS = new RedisError("ERR numkeys should be greater than 0");
    private static final RedisError NO_COUNT = new RedisError("ERR count should be greater than 0");

    /** One that takes any value, since there is no empty one. */
    Pop(List<Bytes> keys, Class<V> type, double seconds, Take<V> take) {
        this(keys, type, (key, value) -> true, seconds, take);
    }

    /** Returns whether there is something for it in what a key holds. */
    boolean isReady(Bytes key, Value value) {
        return type.isInstance(value) && ready.test(key, type.cast(value));
    }

    /** Pops from the value of a key, which has at least one element, and answers. */
    @FunctionalInterface
    interface Take<V extends Value> {
        void take(Bytes key, V value, Reply reply);
    }

    /** Reads the words of a command that pops. */
    static Pop<?> of(RedisCommand command, Words words, Database database) {
        return switch (command) {
            case BLPOP, BRPOP -> {
                boolean left = command == RedisCommand.BLPOP;
                yield new Pop<>(
                        keys(words, 0, words.count() - 1),
                        ListValue.class,
                        seconds(words, words.count() - 1),
                        (key, list, reply) ->
                                Lists.pop(list, left, reply.array(2).bulk(key.array())));
            }
            case BRPOPLPUSH -> move(words, 2, false, true, database);
            case BLMOVE -> move(words, 4, Lists.isLeft(words, 2), Lists.isLeft(words, 3), database);
            case BZPOPMIN, BZPOPMAX -> {
                boolean greatest = command == RedisCommand.BZPOPMAX;
                yield new Pop<>(
                        keys(words, 0, words.count() - 1),
                        SortedSet.class,
                        seconds(words, words.count() - 1),
                        (key, set, reply) -> {
                            reply.array(3).bulk(key.array());
                            pop(set, greatest, 1, node -> SortedSets.tell(node, reply, true, false));
                        });
            }
            case LMPOP -> lists(words, 0, 0);
            case BLMPOP -> lists(words, 1, seconds(words, 0));
            case ZMPOP -> sortedSets(words, 0, 0);
            case BZMPOP -> sortedSets(words, 1, seconds(words, 0));
            case XREAD, XREADGROUP -> new StreamRead(command == RedisCommand.XREADGROUP, words, database, false).pop();
            default -> throw new IllegalArgumentException(command + " does not pop");
        };
    }

    /** Tells so many nodes from an end on, and then removes them. */
    static void pop(SortedSet set, boolean greatest, int count, Consumer<Node> tell) {
        List<Node> nodes = new ArrayList<>();
        Iterator<Node> all = set.from(greatest ? set.size() - 1 : 0, greatest);
        while (all.hasNext() && nodes.size() < count) {
            Node node = all.next();
            nodes.add(node);
            tell.accept(node);
        }
        nodes.forEach(each -> set.remove(each.member()));
    }

    private static Pop<ListValue> move(Words words, int timeout, boolean fromLeft, boolean toLeft, Database database) {
        Bytes target = new Bytes(words.bytes(1));
        return new Pop<>(
                keys(words, 0, 1),
                ListValue.class,
                seconds(words, timeout),
                (key, list, reply) -> Lists.move(database, list, target, fromLeft, toLeft, reply));
    }

    private static Pop<ListValue> lists(Words words, int first, double seconds) {
        int where = behindKeys(words, first);
        boolean left = Lists.isLeft(words, where);
        long count = count(words, where + 1);
        return new Pop<>(keys(words, first + 1, where), ListValue.class, seconds, (key, list, reply) -> {
            reply.array(2).bulk(key.array());
            Lists.pop(list, left, (int) Math.min(count, list.size()), reply);
        });
    }

    private static Pop<SortedSet> sortedSets(Words words, int first, double seconds) {
        int where = behindKeys(words, first);
        if (!words.is(where, "MIN") && !words.is(where, "MAX")) {
            throw RedisError.SYNTAX;
        }
        boolean greatest = words.is(where, "MAX");
        long count = count(words, where + 1);
        return new Pop<>(keys(words, first + 1, where), SortedSet.class, seconds, (key, set, reply) -> {
            int size = (int) Math.min(count, set.size());
            reply.array(2).bulk(key.array()).array(size);
            pop(set, greatest, size, node -> SortedSets.tell(node, reply, true, true));
        });
    }

    /** Returns the place of the word behind the keys, whose number is word {@code first}. */
    private static int behindKeys(Words words, int first) {
        long keys = atLeastOne(words, first, NO_KEYS);
        if (keys > words.count() - first - 2) {
            throw RedisError.SYNTAX;
        }
        return first + 1 + (int) keys;
    }

    private static long count(Words words, int from) {
        long count = 0;
        for (int i = from; i < words.count(); i += 2) {
            if (count > 0 || i + 1 == words.count() || !words.is(i, "COUNT")) {
                throw RedisError.SYNTAX;
            }
            count = atLeastOne(words, i + 1, NO_COUNT);
        }
        return Math.max(1, count);
    }

    private static long atLeastOne(Words words, int i, RedisError otherwise) {
        long value = words.number(i, otherwise);
        if (value < 1) {
            throw otherwise;
        }
        return value;
    }

    private static List<Bytes> keys(Words words, int from, int to) {
        List<Bytes> keys = new ArrayList<>();
        for (int i = from; i < to; i++) {
            keys.add(new Bytes(words.bytes(i)));
        }
        return List.copyOf(keys);
    }

    private static double seconds(Words words, int i) {
        double seconds =
                Numbers.parseDouble(words.text(i), new RedisError("ERR timeout is not a float or out of range"));
        if (seconds < 0) {
            throw new RedisError("ERR timeout is negative");
        }
        if (seconds > Integer.MAX_VALUE) {
            throw new RedisError("ERR timeout is out of range");
        }
        return seconds;
    }
}
