package io.slipstream.cli.sim;

import io.slipstream.keyvalue.resp.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What Redis would hold under some keys that nobody else knows, and what it would answer, in RESP2. */
final class OwnKeys {
    /** The commands that it understands. */
    static final RedisCommand[] COMMANDS = {
        RedisCommand.INCR,
        RedisCommand.APPEND,
        RedisCommand.GETSET,
        RedisCommand.RPUSH,
        RedisCommand.LPOP,
        RedisCommand.SADD,
        RedisCommand.SREM,
        RedisCommand.HINCRBY,
        RedisCommand.HDEL
    };

    private final String prefix;
    private final Deque<String> list = new ArrayDeque<>();
    private final Set<String> set = new TreeSet<>();
    private final Map<String, Long> hash = new TreeMap<>();
    private @Nullable String text;
    private long count;

    OwnKeys(String prefix) {
        this.prefix = prefix;
    }

    /** Makes up the words of a command. */
    List<String> words(RedisCommand command, RandomGenerator random) {
        String some = "some" + random.nextInt(5);
        String value = "value" + random.nextInt(1_000);
        return switch (command) {
            case INCR -> List.of(prefix + "count");
            case APPEND, GETSET -> List.of(prefix + "text", value);
            case RPUSH -> List.of(prefix + "list", value);
            case LPOP -> List.of(prefix + "list");
            case SADD, SREM -> List.of(prefix + "set", some);
            case HINCRBY -> List.of(prefix + "hash", some, Integer.toString(random.nextInt(-50, 50)));
            default -> List.of(prefix + "hash", some);
        };
    }

    /** Does a command; returns what Redis answers. */
    String answer(RedisCommand command, List<String> words) {
        return switch (command) {
            case INCR -> number(++count);
            case APPEND -> {
                text = (text == null ? "" : text) + words.get(1);
                yield number(text.length());
            }
            case GETSET -> {
                String former = text;
                text = words.get(1);
                yield bulk(former);
            }
            case RPUSH -> {
                list.add(words.get(1));
                yield number(list.size());
            }
            case LPOP -> bulk(list.poll());
            case SADD -> number(set.add(words.get(1)) ? 1 : 0);
            case SREM -> number(set.remove(words.get(1)) ? 1 : 0);
            case HINCRBY -> number(hash.merge(words.get(1), Long.parseLong(words.get(2)), Long::sum));
            case HDEL -> number(hash.remove(words.get(1)) == null ? 0 : 1);
            default -> throw new IllegalArgumentException(command + " is none of its commands");
        };
    }

    private static String number(long number) {
        return ":" + number + "\r\n";
    }

    private static String bulk(@Nullable String value) {
        return value == null
                ? "$-1\r\n"
                : "$" + value.getBytes(StandardCharsets.UTF_8).length + "\r\n" + value + "\r\n";
    }
}
