package io.slipstream.keyvalue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Draws commands on a few keys of each type, now and then on a key of the wrong type or with a wrong word. */
final class RandomCommands {
    /** Their answers have no order. */
    private static final Set<String> UNORDERED =
            Set.of("SMEMBERS", "SINTER", "SUNION", "SDIFF", "HKEYS", "HVALS", "KEYS");
    /** Their answers depend on the clock, or on chance, or on how much there is at a time. */
    private static final Set<String> UNCERTAIN = Set.of("RANDOMKEY", "SRANDMEMBER", "HRANDFIELD", "ZRANDMEMBER");

    /**
     * One command a line: s, l, h, t, z, x stand for keys of strings, lists, hashes, sets, sorted sets and streams, k
     * for any of them; y for a sorted set whose scores are all the same; f for a field or member, v for a value, i for
     * a small integer, n for a number, d for a decimal, e for a time to live, m and M for bounds of scores, b and B for
     * bounds of members, o for an offset of a bit, J for a new id of an entry, j for any one, a and A for bounds of
     * them, g and c for groups and consumers. What follows in capitals or signs is itself; | separates words of which
     * one is taken.
     */
    private static final String[] GRAMMAR = """
        GET s
        SET s v
        SET s n
        SET s v NX|XX|GET|KEEPTTL
        SET s v NX|XX GET
        SET s v EX 1000
        SET s v EX -3|0|x
        SETNX s v
        SETEX s 1000 v
        GETSET s v
        GETDEL s
        GETEX s PERSIST
        GETEX s EX 2000
        STRLEN s
        APPEND s v
        SETRANGE s i v
        GETRANGE s i i
        SUBSTR s i i
        INCR s
        DECR s
        INCRBY s n
        DECRBY s n
        INCRBYFLOAT s d
        MGET s k s
        MSET s v s v
        MSET s v s
        MSETNX s v s v
        SETBIT s o 0|1
        SETBIT s o i
        GETBIT s o
        BITCOUNT s
        BITCOUNT s i i
        BITCOUNT s i o BIT|BYTE
        BITPOS s 0|1
        BITPOS s 0|1 i
        BITPOS s 0|1 i i
        BITPOS s 0|1 o o BIT
        BITPOS s i o o BYTE
        BITOP AND|OR|XOR s s s
        BITOP AND|OR|XOR s s s s
        BITOP NOT s s
        BITOP NOT s s s
        BITFIELD s
        BITFIELD s GET u1|u8|u63|i5|i64 o
        BITFIELD s SET u8|u5|i8|i64 o n GET i9 o
        BITFIELD s INCRBY u4|u63|i7|i64 o n INCRBY i3 #3 i
        BITFIELD s OVERFLOW SAT|FAIL INCRBY u4|u63|i7|i64 o n SET u8|i5|i64 o n
        BITFIELD s OVERFLOW WRAP|SAT|FAIL|NONE INCRBY i64 #0 9223372036854775807
        BITFIELD s SET u64|i65|x8|u0|i 0 1
        BITFIELD s GET u8
        BITFIELD s GET u8 -1|#-1|#x|x
        BITFIELD_RO s GET u8|i64 o
        BITFIELD_RO s SET u8 0 1
        DEL k
        DEL k k
        UNLINK k
        EXISTS k k k
        EXPIRE k 1000
        EXPIRE k e NX|XX|GT|LT
        EXPIRE k -1
        PEXPIRE k 500000
        EXPIREAT k 4000000000
        TTL k
        EXPIRETIME k
        PERSIST k
        TYPE k
        RENAME k k
        RENAMENX k k
        COPY k k
        COPY k k REPLACE
        COPY k k DB 0|1|2
        COPY k k DB 0|1|2|16 REPLACE
        MOVE k 0|1|2
        MOVE k 0|1|-1|16
        SELECT 0|1|2
        SELECT 0
        SELECT -1|16|v
        SWAPDB 0|1|2 0|1|2
        SWAPDB v|0 v|16
        RANDOMKEY
        KEYS *
        KEYS s*
        KEYS [sl]?
        TOUCH k k
        DBSIZE
        LPUSH l v v
        RPUSH l v v v
        LPUSHX l v
        RPUSHX l v
        LPOP l
        RPOP l
        LPOP l i
        RPOP l i
        LLEN l
        LRANGE l i i
        LRANGE l 0 -1
        LINDEX l i
        LSET l i v
        LINSERT l BEFORE|AFTER v v
        LREM l i v
        LTRIM l i i
        LPOS l v
        LPOS l v RANK i
        LPOS l v COUNT i
        LPOS l v RANK i COUNT i MAXLEN i
        RPOPLPUSH l l
        LMOVE l l LEFT|RIGHT LEFT|RIGHT
        HSET h f v
        HSET h f v f v
        HSET h f n
        HMSET h f v f v
        HSETNX h f v
        HGET h f
        HMGET h f f f
        HGETALL h
        HDEL h f f
        HLEN h
        HSTRLEN h f
        HEXISTS h f
        HKEYS h
        HVALS h
        HINCRBY h f n
        HINCRBYFLOAT h f d
        HRANDFIELD h
        SADD t f
        SADD t f f f
        SADD t n n
        SREM t f f
        SISMEMBER t f
        SMISMEMBER t f f
        SCARD t
        SMEMBERS t
        SRANDMEMBER t
        SMOVE t t f
        SINTER t t
        SUNION t t t
        SDIFF t t
        SINTERSTORE t t t
        SUNIONSTORE t t t
        SDIFFSTORE t t t
        SINTERCARD 2 t t
        SINTERCARD 2 t t LIMIT i
        ZADD z d f
        ZADD z d f d f
        ZADD z NX|XX|CH|INCR d f
        ZADD z GT|LT CH d f
        ZADD z NX GT d f
        ZADD y 0 f 0 f 0 f
        ZREM y f
        ZREM z f f
        ZSCORE z f
        ZMSCORE z f f
        ZCARD z
        ZINCRBY z d f
        ZRANK z f
        ZREVRANK z f
        ZCOUNT z m M
        ZLEXCOUNT y b B
        ZRANGE z i i
        ZRANGE z 0 -1 WITHSCORES
        ZRANGE z m M BYSCORE
        ZRANGE z M m BYSCORE REV
        ZRANGE z m M BYSCORE LIMIT i i
        ZRANGE y b B BYLEX
        ZRANGE y B b BYLEX REV LIMIT i i
        ZREVRANGE z i i WITHSCORES
        ZRANGEBYSCORE z m M WITHSCORES
        ZRANGEBYSCORE z m M LIMIT i i
        ZREVRANGEBYSCORE z M m
        ZRANGEBYLEX y b B
        ZREVRANGEBYLEX y B b LIMIT i i
        ZREMRANGEBYRANK z i i
        ZREMRANGEBYSCORE z m M
        ZREMRANGEBYLEX y b B
        ZPOPMIN z
        ZPOPMAX z i
        LMPOP 2 l l LEFT|RIGHT
        LMPOP 1 l LEFT|RIGHT COUNT i
        ZMPOP 2 z y MIN|MAX
        ZMPOP 1 z MIN|MAX COUNT i
        ZUNION 2 z y WITHSCORES
        ZUNION 3 z t y AGGREGATE SUM|MIN|MAX WITHSCORES
        ZUNION 2 z z WEIGHTS d d WITHSCORES
        ZINTER 2 z z
        ZINTER 3 z t z WITHSCORES
        ZINTER 2 z y WEIGHTS d i AGGREGATE MIN|MAX
        ZDIFF 2 z z WITHSCORES
        ZDIFF 2 z t
        ZUNIONSTORE z 2 z t
        ZINTERSTORE z 2 z z WEIGHTS i i
        ZDIFFSTORE z 2 z y
        ZINTERCARD 2 z z
        ZINTERCARD 2 z t LIMIT i
        ZRANGESTORE z z i i
        ZRANGESTORE z z m M BYSCORE LIMIT i i
        ZRANGESTORE y y b B BYLEX
        ZRANDMEMBER z
        SORT l ALPHA ASC|DESC
        SORT t LIMIT i i ALPHA
        SORT z BY none GET # GET s*
        SORT l BY h*->field1 GET h*->field2 GET # ALPHA
        SORT l ALPHA GET h*->field1 GET #
        SORT t ALPHA STORE l
        XADD x J f v
        XADD x J f v f v
        XADD x J f v
        XADD x j f v
        XADD x j f
        XADD x NOMKSTREAM J f v
        XADD x MAXLEN i J f v
        XADD x MAXLEN = i J f v
        XADD x MINID j J f v
        XADD x MAXLEN 5 LIMIT i J f v
        XADD x 7-* f v
        XLEN x
        XRANGE x - +
        XRANGE x a A
        XRANGE x a A COUNT i
        XREVRANGE x + -
        XREVRANGE x A a COUNT i
        XDEL x j j
        XDEL x j
        XTRIM x MAXLEN i
        XTRIM x MINID = j
        XTRIM x i
        XSETID x j
        XSETID x J ENTRIESADDED i MAXDELETEDID j
        XREAD STREAMS x x j j
        XREAD COUNT i STREAMS x j
        XREAD STREAMS x x j
        XREAD STREAMS x $
        XREADGROUP GROUP g c STREAMS x >
        XREADGROUP GROUP g c COUNT i STREAMS x x > >
        XREADGROUP GROUP g c COUNT 2 STREAMS x >
        XREADGROUP GROUP g c STREAMS x j
        XREADGROUP GROUP g c COUNT i STREAMS x 0
        XREADGROUP GROUP g c NOACK STREAMS x >
        XREADGROUP GROUP g c STREAMS x $
        XGROUP CREATE x g j
        XGROUP CREATE x g 0 MKSTREAM
        XGROUP CREATE x g $ ENTRIESREAD i
        XGROUP SETID x g j
        XGROUP SETID x g -
        XGROUP SETID x g +
        XGROUP CREATE x g -
        XGROUP SETID x g 0 ENTRIESREAD i
        XGROUP DESTROY x g
        XGROUP CREATECONSUMER x g c
        XGROUP DELCONSUMER x g c
        XGROUP v x g
        XACK x g j j j
        XPENDING x g
        XPENDING x g - + i
        XPENDING x g a A i c
        XPENDING x g IDLE 0 - + 10 c
        XPENDING x g - +
        XCLAIM x g c 0 j j
        XCLAIM x g c 0 j j FORCE
        XCLAIM x g c 0 j JUSTID RETRYCOUNT i
        XCLAIM x g c 100000000 j LASTID j
        XCLAIM x g c v j
        XAUTOCLAIM x g c 0 j
        XAUTOCLAIM x g c 0 - COUNT i JUSTID
        XAUTOCLAIM x g c 100000000 j COUNT 3
        XINFO STREAM x
        XINFO STREAM x FULL
        XINFO GROUPS x
        XINFO CONSUMERS x g
        XINFO v x
        PING
        PING v
        ECHO v
        PUBLISH channel v
        """.split("\n");

    private final Random random;
    private int nextId = 1;

    RandomCommands(Random random) {
        this.random = random;
    }

    String[] next() {
        String[] words = GRAMMAR[random.nextInt(GRAMMAR.length)].strip().split(" ");
        List<String> command = new ArrayList<>();
        command.add(random.nextInt(20) == 0 ? words[0].toLowerCase(Locale.ROOT) : words[0]);
        for (int i = 1; i < words.length; i++) {
            command.add(word(words[i]));
        }
        int fault = random.nextInt(60);
        if (fault == 0 && command.size() > 1) {
            command.removeLast();
        } else if (fault == 1) {
            command.add(word("v"));
        } else if (fault == 2 && command.size() > 1 && !words[1].equals("y")) {
            command.set(1 + random.nextInt(command.size() - 1), word(random.nextBoolean() ? "k" : "v"));
        }
        return command.toArray(String[]::new);
    }

    /** Brings what has no order into one, and makes uncertain what is uncertain. */
    static Object comparable(String[] command, Object answer) {
        String name = command[0].toUpperCase(Locale.ROOT);
        if (UNCERTAIN.contains(name)) {
            return answer.getClass().getSimpleName();
        }
        if (name.equals("TTL") || name.equals("EXPIRETIME")) {
            return answer instanceof Long seconds && seconds > 0 ? "a time" : answer;
        }
        if (!(answer instanceof List<?> list)) {
            return answer;
        }
        switch (name) {
            case "XPENDING" -> {
                return list.stream().map(each -> without(each, 4, 2)).toList();
            }
            case "XINFO" -> {
                return withoutForm(list);
            }
            default -> {
                // As it is.
            }
        }
        // What is sorted by the same, or not at all, has no order.
        if (UNORDERED.contains(name) || name.equals("SORT") && List.of(command).contains("BY")) {
            return list.stream().map(String::valueOf).sorted().toList();
        }
        if (name.equals("ZUNION") || name.equals("ZINTER")) {
            // What is not stored may be a negative zero in Redis.
            return list.stream().map(each -> each.equals("-0") ? "0" : each).toList();
        }
        if (name.equals("HGETALL")) {
            List<String> pairs = new ArrayList<>();
            for (int i = 0; i + 1 < list.size(); i += 2) {
                pairs.add(list.get(i) + " = " + list.get(i + 1));
            }
            return pairs.stream().sorted().toList();
        }
        return answer;
    }

    /** Times depend on the clock, and trees on how Redis holds a stream. */
    private static Object withoutForm(Object answer) {
        if (!(answer instanceof List<?> list)) {
            return answer;
        }
        List<Object> rest = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            Object each = list.get(i);
            if (List.of("radix-tree-keys", "radix-tree-nodes", "seen-time", "idle")
                    .contains(each)) {
                i++;
            } else if (each.equals("pending") && list.get(i + 1) instanceof List<?> pending) {
                rest.add(pending.stream()
                        .map(of -> without(without(of, 4, 2), 3, 1))
                        .toList());
                i++;
            } else {
                rest.add(withoutForm(each));
            }
        }
        return rest;
    }

    private static Object without(Object answer, int size, int place) {
        if (!(answer instanceof List<?> list) || list.size() != size) {
            return answer;
        }
        List<Object> rest = new ArrayList<>(list);
        rest.remove(place);
        return rest;
    }

    private String word(String symbol) {
        if (symbol.indexOf('|') > 0) {
            String[] choices = symbol.split("\\|");
            return choices[random.nextInt(choices.length)];
        }
        return switch (symbol) {
            case "k" ->
                random.nextInt(15) == 0
                        ? "none"
                        : word("slhtzx".substring(random.nextInt(6)).substring(0, 1));
            case "y" -> "y" + random.nextInt(2);
            case "s", "l", "h", "t", "z", "x" ->
                (random.nextInt(40) == 0 ? "slhtzx".charAt(random.nextInt(6)) : symbol.charAt(0))
                        + Integer.toString(random.nextInt(4));
            case "J" -> nextId++ / 2 + "-" + (nextId % 2 + 1);
            case "j" -> id();
            case "g" -> "group" + random.nextInt(3);
            case "c" -> "consumer" + random.nextInt(3);
            case "a", "A" ->
                switch (random.nextInt(5)) {
                    case 0 -> symbol.equals("a") ? "-" : "+";
                    case 1 -> "(" + id();
                    default -> id();
                };
            case "o" -> Integer.toString(random.nextInt(240) - 20);
            case "f" -> "field" + random.nextInt(12);
            case "v" -> value();
            case "i" -> Integer.toString(random.nextInt(14) - 5);
            case "n" ->
                random.nextInt(12) == 0
                        ? Long.toString(random.nextLong())
                        : Integer.toString(random.nextInt(2_000) - 1_000);
            case "d" -> decimal();
            // Seldom the same twice: which of two is the later one must not hang on a millisecond.
            case "e" -> Integer.toString(1_000 + random.nextInt(100_000_000));
            case "m", "M" ->
                switch (random.nextInt(6)) {
                    case 0 -> symbol.equals("m") ? "-inf" : "+inf";
                    case 1 -> "(" + random.nextInt(10);
                    case 2 -> decimal();
                    default -> Integer.toString(random.nextInt(20) - 10);
                };
            case "b", "B" ->
                switch (random.nextInt(5)) {
                    case 0 -> symbol.equals("b") ? "-" : "+";
                    case 1 -> "(field" + random.nextInt(12);
                    case 2 -> value();
                    default -> "[field" + random.nextInt(12);
                };
            default -> symbol;
        };
    }

    private String id() {
        int before = Math.max(0, nextId / 2 - random.nextInt(20));
        return switch (random.nextInt(20)) {
            case 0 -> "0";
            case 1 -> "x-1";
            case 2 -> before + "-x";
            case 3, 4, 5 -> Integer.toString(before);
            default -> before + "-" + (random.nextInt(2) + 1);
        };
    }

    private String value() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> Integer.toString(random.nextInt(1_000));
            case 2 -> "x".repeat(random.nextInt(100));
            case 3 -> "a b\r\n\u0000\u00ff";
            default -> "value" + random.nextInt(6);
        };
    }

    private String decimal() {
        return switch (random.nextInt(14)) {
            case 0 -> "inf";
            case 1 -> "-inf";
            case 2 -> "1e3";
            case 3 -> "nan";
            case 4 -> random.nextInt(100) + "." + random.nextInt(1_000);
            default -> Integer.toString(random.nextInt(20) - 10);
        };
    }
}
