package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.Draw;
import io.slipstream.keyvalue.argument.Limited;
import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.SetValue;
import io.slipstream.keyvalue.value.SortedSet;
import io.slipstream.keyvalue.value.SortedSet.Node;
import io.slipstream.keyvalue.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The commands that make one sorted set of several, and those that draw members. Sets take part with scores of 1. */
final class SortedSetAlgebra {
    private enum Operation {
        UNION,
        INTERSECTION,
        DIFFERENCE
    }

    private final Database database;
    private final Supplier<RandomGenerator> random;

    /** What is combined, and how. */
    private record Request(List<Source> sources, DoubleBinaryOperator aggregate, boolean withScores) {}

    /** A set or sorted set, and the factor of its scores. */
    private record Source(Value value, double weight) {
        void forEach(BiConsumer<Bytes, Double> what) {
            if (value instanceof SetValue set) {
                set.members().forEach(member -> what.accept(member, weigh(1)));
                return;
            }
            ((SortedSet) value).forEach(node -> what.accept(node.member(), weigh(node.score())));
        }

        /** Returns the product of score and weight, which may be no number; null if there is no such member. */
        @Nullable
        Double score(Bytes member) {
            if (value instanceof SetValue set) {
                return set.contains(member) ? weight : null;
            }
            Double score = ((SortedSet) value).score(member);
            return score == null ? null : score * weight;
        }

        private double weigh(double score) {
            double weighed = score * weight;
            return Double.isNaN(weighed) ? 0 : weighed;
        }
    }

    SortedSetAlgebra(Database database, Supplier<RandomGenerator> random, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.random = random;
        handlers.put(RedisCommand.ZUNION, (words, reply) -> tell(words, reply, "zunion", Operation.UNION));
        handlers.put(RedisCommand.ZINTER, (words, reply) -> tell(words, reply, "zinter", Operation.INTERSECTION));
        handlers.put(RedisCommand.ZDIFF, (words, reply) -> tell(words, reply, "zdiff", Operation.DIFFERENCE));
        handlers.put(RedisCommand.ZUNIONSTORE, (words, reply) -> store(words, reply, "zunionstore", Operation.UNION));
        handlers.put(
                RedisCommand.ZINTERSTORE, (words, reply) -> store(words, reply, "zinterstore", Operation.INTERSECTION));
        handlers.put(
                RedisCommand.ZDIFFSTORE, (words, reply) -> store(words, reply, "zdiffstore", Operation.DIFFERENCE));
        handlers.put(RedisCommand.ZINTERCARD, this::intersectionSize);
        handlers.put(RedisCommand.ZRANDMEMBER, this::randomMember);
    }

    private void tell(Words words, Reply reply, String command, Operation operation) {
        Request request = read(words, 0, command, operation, false);
        SortedSet result = combine(request, operation);
        boolean inPairs = request.withScores && reply.isThird();
        reply.array(request.withScores && !inPairs ? 2L * result.size() : result.size());
        result.forEach(node -> SortedSets.tell(node, reply, request.withScores, inPairs));
    }

    private void store(Words words, Reply reply, String command, Operation operation) {
        SortedSet result = combine(read(words, 1, command, operation, true), operation);
        database.replace(new Bytes(words.bytes(0)), result);
        reply.integer(result.size());
    }

    private void intersectionSize(Words words, Reply reply) {
        int behind = Limited.behindKeys(words, RedisError.NOT_AN_INTEGER, noKeys("zintercard"), RedisError.SYNTAX);
        List<Value> sources = sources(words, 1, behind);
        long limit = Limited.limit(words, behind);
        int size = combine(
                        new Request(weighed(sources, new double[sources.size()]), Double::sum, false),
                        Operation.INTERSECTION)
                .size();
        reply.integer(Math.min(limit, size));
    }

    private Request read(Words words, int first, String command, Operation operation, boolean stores) {
        long count = words.number(first);
        if (count < 1) {
            throw noKeys(command);
        }
        if (count > words.count() - first - 1) {
            throw RedisError.SYNTAX;
        }
        int at = first + 1 + (int) count;
        List<Value> sources = sources(words, first + 1, at);
        double[] weights = new double[(int) count];
        Arrays.fill(weights, 1);
        DoubleBinaryOperator aggregate = SortedSetAlgebra::sum;
        boolean withScores = false;
        while (at < words.count()) {
            if (operation != Operation.DIFFERENCE && words.is(at, "WEIGHTS") && words.count() - at > count) {
                for (int i = 0; i < count; i++) {
                    weights[i] = Numbers.parseDouble(
                            words.text(at + 1 + i), new RedisError("ERR weight value is not a float"));
                }
                at += 1 + (int) count;
            } else if (operation != Operation.DIFFERENCE && words.is(at, "AGGREGATE") && at + 1 < words.count()) {
                aggregate = aggregate(words, at + 1);
                at += 2;
            } else if (!stores && words.is(at, "WITHSCORES")) {
                withScores = true;
                at++;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return new Request(weighed(sources, weights), aggregate, withScores);
    }

    private static List<Source> weighed(List<Value> values, double[] weights) {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            sources.add(new Source(values.get(i), weights[i]));
        }
        return sources;
    }

    private static RedisError noKeys(String command) {
        return new RedisError("ERR at least 1 input key is needed for '" + command + "' command");
    }

    private static DoubleBinaryOperator aggregate(Words words, int i) {
        if (words.is(i, "SUM")) {
            return SortedSetAlgebra::sum;
        }
        if (words.is(i, "MIN")) {
            return (a, b) -> b < a ? b : a;
        }
        if (words.is(i, "MAX")) {
            return (a, b) -> b > a ? b : a;
        }
        throw RedisError.SYNTAX;
    }

    /** Infinities that cancel each other out make 0. */
    private static double sum(double a, double b) {
        double sum = a + b;
        return Double.isNaN(sum) ? 0 : sum;
    }

    private List<Value> sources(Words words, int from, int to) {
        List<Value> sources = new ArrayList<>();
        for (int i = from; i < to; i++) {
            Value value = database.read(words, i, Value.class);
            if (value != null && !(value instanceof SetValue) && !(value instanceof SortedSet)) {
                throw RedisError.WRONG_TYPE;
            }
            sources.add(value == null ? new SortedSet() : value);
        }
        return sources;
    }

    private static SortedSet combine(Request request, Operation operation) {
        List<Source> sources = request.sources;
        if (operation != Operation.DIFFERENCE) {
            // As Redis does; the order shows where infinities cancel each other out.
            sources.sort(Comparator.comparingInt(source -> source.value.size()));
        }
        Map<Bytes, Double> scores = new LinkedHashMap<>();
        if (operation == Operation.UNION) {
            sources.forEach(source ->
                    source.forEach((member, score) -> scores.merge(member, score, request.aggregate::applyAsDouble)));
        } else {
            sources.getFirst().forEach((member, score) -> {
                double total = score;
                for (Source other : sources.subList(1, sources.size())) {
                    Double more = other.score(member);
                    if (more == null != (operation == Operation.DIFFERENCE)) {
                        return;
                    }
                    total = more == null ? total : request.aggregate.applyAsDouble(total, more);
                }
                scores.put(member, total);
            });
        }
        SortedSet result = new SortedSet();
        scores.forEach(result::put);
        return result;
    }

    private void randomMember(Words words, Reply reply) {
        boolean withScores = words.count() == 3;
        if (words.count() > 3 || withScores && !words.is(2, "WITHSCORES")) {
            throw RedisError.SYNTAX;
        }
        SortedSet set = database.read(words, 0, SortedSet.class);
        List<Node> all = set == null ? List.of() : set.byRank();
        if (words.count() > 1) {
            List<Node> drawn = Draw.some(all, words.number(1), random);
            boolean inPairs = withScores && reply.isThird();
            reply.array(withScores && !inPairs ? 2L * drawn.size() : drawn.size());
            drawn.forEach(node -> SortedSets.tell(node, reply, withScores, inPairs));
        } else if (all.isEmpty()) {
            reply.nothing();
        } else {
            reply.bulk(all.get(random.get().nextInt(all.size())).member().array());
        }
    }
}
