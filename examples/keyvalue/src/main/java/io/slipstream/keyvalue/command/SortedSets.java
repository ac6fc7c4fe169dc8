package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.Bounds;
import io.slipstream.keyvalue.argument.Range;
import io.slipstream.keyvalue.argument.RangeOptions;
import io.slipstream.keyvalue.argument.RangeOptions.By;
import io.slipstream.keyvalue.argument.Scan;
import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.SortedSet;
import io.slipstream.keyvalue.value.SortedSet.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commands of sorted sets. */
final class SortedSets {
    private final Database database;

    SortedSets(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.ZADD, this::add);
        handlers.put(RedisCommand.ZINCRBY, this::increment);
        handlers.put(RedisCommand.ZREM, this::remove);
        handlers.put(RedisCommand.ZSCORE, (words, reply) -> tellScore(score(words, 1), reply));
        handlers.put(RedisCommand.ZMSCORE, (words, reply) -> {
            database.read(words, 0, SortedSet.class);
            reply.array(words.count() - 1);
            for (int i = 1; i < words.count(); i++) {
                tellScore(score(words, i), reply);
            }
        });
        handlers.put(
                RedisCommand.ZCARD, (words, reply) -> reply.integer(read(words).size()));
        handlers.put(RedisCommand.ZRANK, (words, reply) -> rank(words, reply, false));
        handlers.put(RedisCommand.ZREVRANK, (words, reply) -> rank(words, reply, true));
        handlers.put(RedisCommand.ZCOUNT, (words, reply) -> {
            Bounds bounds = Bounds.scores(words, 1, 2);
            reply.integer(bounds.in(read(words)).size());
        });
        handlers.put(RedisCommand.ZLEXCOUNT, (words, reply) -> {
            Bounds bounds = Bounds.names(words, 1, 2);
            reply.integer(bounds.in(read(words)).size());
        });
        handlers.put(RedisCommand.ZRANGE, (words, reply) -> range(words, reply, RangeOptions.any(words)));
        handlers.put(
                RedisCommand.ZREVRANGE, (words, reply) -> range(words, reply, RangeOptions.of(words, By.RANK, true)));
        handlers.put(
                RedisCommand.ZRANGEBYSCORE,
                (words, reply) -> range(words, reply, RangeOptions.of(words, By.SCORE, false)));
        handlers.put(
                RedisCommand.ZREVRANGEBYSCORE,
                (words, reply) -> range(words, reply, RangeOptions.of(words, By.SCORE, true)));
        handlers.put(
                RedisCommand.ZRANGEBYLEX,
                (words, reply) -> range(words, reply, RangeOptions.of(words, By.NAME, false)));
        handlers.put(
                RedisCommand.ZREVRANGEBYLEX,
                (words, reply) -> range(words, reply, RangeOptions.of(words, By.NAME, true)));
        handlers.put(RedisCommand.ZREMRANGEBYRANK, (words, reply) -> removeRange(words, reply, byRank(words, false)));
        handlers.put(
                RedisCommand.ZREMRANGEBYSCORE,
                (words, reply) ->
                        removeRange(words, reply, Bounds.scores(words, 1, 2).in(read(words))));
        handlers.put(
                RedisCommand.ZREMRANGEBYLEX,
                (words, reply) ->
                        removeRange(words, reply, Bounds.names(words, 1, 2).in(read(words))));
        handlers.put(RedisCommand.ZPOPMIN, (words, reply) -> pop(words, reply, false));
        handlers.put(RedisCommand.ZPOPMAX, (words, reply) -> pop(words, reply, true));
        handlers.put(RedisCommand.ZRANGESTORE, this::storeRange);
        handlers.put(RedisCommand.ZSCAN, this::scan);
    }

    private SortedSet read(Words words) {
        SortedSet set = database.read(words, 0, SortedSet.class);
        return set == null ? new SortedSet() : set;
    }

    private @Nullable Double score(Words words, int i) {
        return read(words).score(new Bytes(words.bytes(i)));
    }

    private static void tellScore(@Nullable Double score, Reply reply) {
        if (score == null) {
            reply.nothing();
        } else {
            reply.fraction(score);
        }
    }

    private void add(Words words, Reply reply) {
        int at = 1;
        boolean ifAbsent = false;
        boolean ifPresent = false;
        boolean ifGreater = false;
        boolean ifLess = false;
        boolean countsChanged = false;
        boolean increments = false;
        for (; at < words.count(); at++) {
            if (words.is(at, "NX")) {
                ifAbsent = true;
            } else if (words.is(at, "XX")) {
                ifPresent = true;
            } else if (words.is(at, "GT")) {
                ifGreater = true;
            } else if (words.is(at, "LT")) {
                ifLess = true;
            } else if (words.is(at, "CH")) {
                countsChanged = true;
            } else if (words.is(at, "INCR")) {
                increments = true;
            } else {
                break;
            }
        }
        int pairs = (words.count() - at) / 2;
        if (pairs == 0 || (words.count() - at) % 2 != 0) {
            throw RedisError.SYNTAX;
        }
        if (ifAbsent && ifPresent) {
            throw new RedisError("ERR XX and NX options at the same time are not compatible");
        }
        if (ifAbsent && (ifGreater || ifLess) || ifGreater && ifLess) {
            throw new RedisError("ERR GT, LT, and/or NX options at the same time are not compatible");
        }
        if (increments && pairs > 1) {
            throw new RedisError("ERR INCR option supports a single increment-element pair");
        }
        double[] scores = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            scores[i] = words.fraction(at + 2 * i);
        }
        SortedSet set = ifPresent
                ? database.write(words, 0, SortedSet.class)
                : database.write(words, 0, SortedSet.class, SortedSet::new);
        int added = 0;
        int changed = 0;
        Double told = null;
        for (int i = 0; set != null && i < pairs; i++) {
            Bytes member = new Bytes(words.bytes(at + 2 * i + 1));
            Double present = set.score(member);
            double score = increments && present != null ? sum(present, scores[i]) : scores[i];
            if (present == null ? ifPresent : ifAbsent || ifGreater && score <= present || ifLess && score >= present) {
                continue;
            }
            added += set.put(member, score) ? 1 : 0;
            changed += present != null && present != score ? 1 : 0;
            told = score;
        }
        if (increments) {
            tellScore(told, reply);
        } else {
            reply.integer(countsChanged ? added + changed : added);
        }
    }

    private static double sum(double a, double b) {
        double sum = a + b;
        if (Double.isNaN(sum)) {
            throw new RedisError("ERR resulting score is not a number (NaN)");
        }
        return sum;
    }

    private void increment(Words words, Reply reply) {
        double more = words.fraction(1);
        SortedSet set = database.write(words, 0, SortedSet.class, SortedSet::new);
        Bytes member = new Bytes(words.bytes(2));
        Double present = set.score(member);
        double score = present == null ? more : sum(present, more);
        set.put(member, score);
        reply.fraction(score);
    }

    private void remove(Words words, Reply reply) {
        SortedSet set = database.write(words, 0, SortedSet.class);
        int removed = 0;
        for (int i = 1; set != null && i < words.count(); i++) {
            removed += set.remove(new Bytes(words.bytes(i))) ? 1 : 0;
        }
        reply.integer(removed);
    }

    private void rank(Words words, Reply reply, boolean fromBehind) {
        boolean withScore = words.count() == 3 && words.is(2, "WITHSCORE");
        SortedSet set = read(words);
        Bytes member = new Bytes(words.bytes(1));
        int rank = set.rankOf(member);
        if (rank < 0) {
            if (withScore) {
                reply.noArray();
            } else {
                reply.nothing();
            }
            return;
        }
        if (withScore) {
            reply.array(2);
        }
        reply.integer(fromBehind ? set.size() - 1 - rank : rank);
        if (withScore) {
            tellScore(set.score(member), reply);
        }
    }

    private Range byRank(Words words, boolean fromBehind) {
        long from = words.number(1);
        long to = words.number(2);
        SortedSet set = read(words);
        Range range = Range.of(from, to, set.size());
        return fromBehind && range.size() > 0 ? new Range(set.size() - range.end(), set.size() - range.first()) : range;
    }

    private void range(Words words, Reply reply, RangeOptions options) {
        Range range = range(words, options);
        boolean inPairs = options.withScores() && reply.isThird();
        long size = options.sizeOf(range);
        reply.array(options.withScores() && !inPairs ? 2 * size : size);
        forEach(words, range, options, node -> tell(node, reply, options.withScores(), inPairs));
    }

    private Range range(Words words, RangeOptions options) {
        return switch (options.by()) {
            case RANK -> byRank(words, options.fromBehind());
            case SCORE -> byScore(words, options.fromBehind());
            case NAME -> byName(words, options.fromBehind());
        };
    }

    /** Its first word is where to; the others are those of ZRANGE. */
    private void storeRange(Words words, Reply reply) {
        Words rest = words.from(1);
        RangeOptions options = RangeOptions.any(rest);
        if (options.withScores()) {
            throw RedisError.SYNTAX;
        }
        Range range = range(rest, options);
        SortedSet chosen = new SortedSet();
        forEach(rest, range, options, node -> chosen.put(node.member(), node.score()));
        database.replace(new Bytes(words.bytes(0)), chosen);
        reply.integer(chosen.size());
    }

    private Range byScore(Words words, boolean fromBehind) {
        return (fromBehind ? Bounds.scores(words, 2, 1) : Bounds.scores(words, 1, 2)).in(read(words));
    }

    private Range byName(Words words, boolean fromBehind) {
        return (fromBehind ? Bounds.names(words, 2, 1) : Bounds.names(words, 1, 2)).in(read(words));
    }

    private void forEach(Words words, Range range, RangeOptions options, Consumer<Node> what) {
        long size = options.sizeOf(range);
        if (size == 0) {
            return;
        }
        boolean fromBehind = options.fromBehind();
        SortedSet set = read(words);
        Iterator<Node> nodes = set.from(
                (int) (fromBehind ? range.end() - 1 - options.offset() : range.first() + options.offset()), fromBehind);
        for (long i = 0; i < size && nodes.hasNext(); i++) {
            what.accept(nodes.next());
        }
    }

    static void tell(Node node, Reply reply, boolean withScore, boolean inPairs) {
        if (inPairs) {
            reply.array(2);
        }
        reply.bulk(node.member().array());
        if (withScore) {
            reply.fraction(node.score());
        }
    }

    private void removeRange(Words words, Reply reply, Range range) {
        SortedSet set = database.write(words, 0, SortedSet.class);
        for (int i = 0; set != null && i < range.size(); i++) {
            Node node = set.at(range.first());
            if (node != null) {
                set.remove(node.member());
            }
        }
        reply.integer(range.size());
    }

    private void pop(Words words, Reply reply, boolean greatest) {
        if (words.count() > 2) {
            throw RedisError.SYNTAX;
        }
        long count = words.count() == 1 ? 1 : words.number(1, RedisError.NEGATIVE);
        if (count < 0) {
            throw RedisError.NEGATIVE;
        }
        SortedSet set = database.write(words, 0, SortedSet.class);
        int size = (int) Math.min(count, set == null ? 0 : set.size());
        boolean inPairs = words.count() == 2 && reply.isThird();
        reply.array(inPairs ? size : 2L * size);
        if (set != null) {
            Pop.pop(set, greatest, size, node -> tell(node, reply, true, inPairs));
        }
    }

    private void scan(Words words, Reply reply) {
        Scan scan = Scan.of(words, 2);
        List<byte[]> found = new ArrayList<>();
        long next = read(words).scan(scan.cursor(), scan.count(), node -> {
            if (scan.matches(node.member())) {
                found.add(node.member().array());
                found.add(Numbers.format(node.score()).getBytes(StandardCharsets.US_ASCII));
            }
        });
        Scan.tell(next, found, reply);
    }
}
