package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.HashValue;
import io.slipstream.keyvalue.value.ListValue;
import io.slipstream.keyvalue.value.SetValue;
import io.slipstream.keyvalue.value.SortedSet;
import io.slipstream.keyvalue.value.StreamValue;
import io.slipstream.keyvalue.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** SORT and SORT_RO. */
final class Sort {
    private static final RedisError NO_SCORE = new RedisError("ERR One or more scores can't be converted into double");

    private final Database database;

    /** An element with what it is sorted by: a number, or some bytes. */
    private record Item(
            Bytes element, double score, @Nullable Bytes weight) {}

    /** What the words behind the key say. */
    private static final class Options {
        private final List<String> gets = new ArrayList<>();
        private @Nullable String by;
        private @Nullable Bytes target;
        private boolean descends;
        private boolean alphabetic;
        private long offset;
        private long count = -1;
    }

    Sort(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.SORT, (words, reply) -> sort(words, reply, true));
        handlers.put(RedisCommand.SORT_RO, (words, reply) -> sort(words, reply, false));
    }

    private static Options options(Words words, boolean mayStore) {
        Options options = new Options();
        for (int i = 1; i < words.count(); i++) {
            boolean hasNext = i + 1 < words.count();
            if (words.is(i, "ASC") || words.is(i, "DESC")) {
                options.descends = words.is(i, "DESC");
            } else if (words.is(i, "ALPHA")) {
                options.alphabetic = true;
            } else if (words.is(i, "LIMIT") && i + 2 < words.count()) {
                options.offset = words.number(i + 1);
                options.count = words.number(i + 2);
                i += 2;
            } else if (words.is(i, "BY") && hasNext) {
                options.by = words.text(++i);
            } else if (words.is(i, "GET") && hasNext) {
                options.gets.add(words.text(++i));
            } else if (mayStore && words.is(i, "STORE") && hasNext) {
                options.target = new Bytes(words.bytes(++i));
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return options;
    }

    private void sort(Words words, Reply reply, boolean mayStore) {
        Options options = options(words, mayStore);
        Value value = database.read(words, 0, Value.class);
        List<Bytes> chosen = chosen(value, options);
        List<@Nullable Bytes> told = new ArrayList<>();
        for (Bytes element : chosen) {
            if (options.gets.isEmpty()) {
                told.add(element);
            }
            options.gets.forEach(pattern -> told.add(pattern.equals("#") ? element : lookUp(pattern, element)));
        }
        if (options.target == null) {
            reply.array(told.size());
            for (Bytes each : told) {
                if (each == null) {
                    reply.nothing();
                } else {
                    reply.bulk(each.array());
                }
            }
        } else {
            ListValue list = new ListValue();
            told.forEach(each -> list.addLast(each == null ? new byte[0] : each.array()));
            database.replace(options.target, list);
            reply.integer(told.size());
        }
    }

    private List<Bytes> chosen(@Nullable Value value, Options options) {
        List<Bytes> elements = elements(value);
        boolean stays = options.by != null && options.by.indexOf('*') < 0;
        // What is stored of a set has an order, so that each replay stores the same.
        boolean byElement = stays && value instanceof SetValue && options.target != null;
        if (!stays || byElement) {
            elements =
                    sorted(elements, byElement ? null : options.by, byElement || options.alphabetic, options.descends);
        } else if (value instanceof SortedSet && options.descends) {
            Collections.reverse(elements);
        }
        int from = (int) Math.min(Math.max(0, options.offset), elements.size());
        long size = options.count < 0 ? elements.size() - from : Math.min(options.count, elements.size() - from);
        return elements.subList(from, from + (int) size);
    }

    private List<Bytes> sorted(List<Bytes> elements, @Nullable String by, boolean alphabetic, boolean descends) {
        List<Item> items = new ArrayList<>();
        for (Bytes element : elements) {
            Bytes weight = by == null ? element : lookUp(by, element);
            items.add(new Item(
                    element, alphabetic || weight == null ? 0 : Numbers.parseDouble(weight.text(), NO_SCORE), weight));
        }
        Comparator<Item> order = alphabetic
                ? Comparator.comparing(Item::weight, Comparator.nullsFirst(Comparator.naturalOrder()))
                : Comparator.comparingDouble(Item::score).thenComparing(Item::element);
        items.sort(descends ? order.reversed() : order);
        List<Bytes> sorted = new ArrayList<>();
        items.forEach(item -> sorted.add(item.element));
        return sorted;
    }

    private static List<Bytes> elements(@Nullable Value value) {
        List<Bytes> elements = new ArrayList<>();
        switch (value) {
            case null -> {
                // None.
            }
            case ListValue list -> {
                for (int i = 0; i < list.size(); i++) {
                    elements.add(new Bytes(list.get(i)));
                }
            }
            case SetValue set -> elements.addAll(set.members());
            case SortedSet set -> set.forEach(node -> elements.add(node.member()));
            case HashValue _, StreamValue _ -> throw RedisError.WRONG_TYPE;
        }
        return elements;
    }

    /** Returns what the key holds whose name is the pattern with the element in place of its star, or null. */
    private @Nullable Bytes lookUp(String pattern, Bytes element) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return null;
        }
        int arrow = pattern.indexOf("->", star + 1);
        boolean ofField = arrow >= 0 && arrow + 2 < pattern.length();
        String key = pattern.substring(0, star)
                + element.text()
                + pattern.substring(star + 1, ofField ? arrow : pattern.length());
        return ofField
                ? database.field(Bytes.of(key), Bytes.of(pattern.substring(arrow + 2)))
                : database.string(Bytes.of(key));
    }
}
