package io.slipstream.keyvalue.resp;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands that are understood. Their order is in the log: new ones go to the end.
 *
 * <p>Arity is Redis': the number of words with the command's own, or its negative if there may be more.
 */
public enum RedisCommand {
    GET(2, Kind.READ),
    SET(-3, Kind.WRITE),
    SETNX(3, Kind.WRITE),
    SETEX(4, Kind.WRITE),
    PSETEX(4, Kind.WRITE),
    GETSET(3, Kind.WRITE),
    GETDEL(2, Kind.WRITE),
    GETEX(-2, Kind.WRITE),
    STRLEN(2, Kind.READ),
    APPEND(3, Kind.WRITE),
    SETRANGE(4, Kind.WRITE),
    GETRANGE(4, Kind.READ),
    SUBSTR(4, Kind.READ),
    INCR(2, Kind.WRITE),
    DECR(2, Kind.WRITE),
    INCRBY(3, Kind.WRITE),
    DECRBY(3, Kind.WRITE),
    INCRBYFLOAT(3, Kind.WRITE),
    MGET(-2, Kind.READ),
    MSET(-3, Kind.WRITE),
    MSETNX(-3, Kind.WRITE),
    DEL(-2, Kind.WRITE),
    UNLINK(-2, Kind.WRITE),
    EXISTS(-2, Kind.READ),
    EXPIRE(-3, Kind.WRITE),
    PEXPIRE(-3, Kind.WRITE),
    EXPIREAT(-3, Kind.WRITE),
    PEXPIREAT(-3, Kind.WRITE),
    TTL(2, Kind.READ),
    PTTL(2, Kind.READ),
    EXPIRETIME(2, Kind.READ),
    PEXPIRETIME(2, Kind.READ),
    PERSIST(2, Kind.WRITE),
    TYPE(2, Kind.READ),
    RENAME(3, Kind.WRITE),
    RENAMENX(3, Kind.WRITE),
    COPY(-3, Kind.WRITE),
    RANDOMKEY(1, Kind.WRITE, false),
    KEYS(2, Kind.READ, false),
    SCAN(-2, Kind.READ, false),
    TOUCH(-2, Kind.READ),
    OBJECT(-2, Kind.READ, false),
    MOVE(3, Kind.WRITE),
    DUMP(2, Kind.READ),
    DBSIZE(1, Kind.READ, false),
    FLUSHDB(-1, Kind.WRITE, false),
    FLUSHALL(-1, Kind.WRITE, false),
    INFO(-1, Kind.READ, false),
    CONFIG(-2, Kind.WRITE, false),
    TIME(1, Kind.WRITE, false),
    MEMORY(-2, Kind.READ, false),
    WAIT(3, Kind.LOCAL, false),
    WATCH(-2, Kind.WRITE, false),
    UNWATCH(1, Kind.WRITE, false),
    MULTI(1, Kind.LOCAL, false),
    EXEC(1, Kind.WRITE, false),
    DISCARD(1, Kind.WRITE, false),
    PING(-1, Kind.LOCAL, false),
    ECHO(2, Kind.LOCAL, false),
    HELLO(-1, Kind.LOCAL, false),
    CLIENT(-2, Kind.LOCAL, false),
    COMMAND(-1, Kind.LOCAL, false),
    SELECT(2, Kind.LOCAL, false),
    AUTH(-2, Kind.LOCAL, false),
    RESET(1, Kind.WRITE, false),
    QUIT(-1, Kind.LOCAL, false),
    DEBUG(-2, Kind.LOCAL, false),
    FUNCTION(-2, Kind.LOCAL, false),
    PUBLISH(3, Kind.WRITE, false),
    SUBSCRIBE(-2, Kind.WRITE, false),
    UNSUBSCRIBE(-1, Kind.WRITE, false),
    PSUBSCRIBE(-2, Kind.WRITE, false),
    PUNSUBSCRIBE(-1, Kind.WRITE, false),
    PUBSUB(-2, Kind.READ, false),
    HSET(-4, Kind.WRITE),
    HMSET(-4, Kind.WRITE),
    HSETNX(4, Kind.WRITE),
    HGET(3, Kind.READ),
    HMGET(-3, Kind.READ),
    HGETALL(2, Kind.READ),
    HDEL(-3, Kind.WRITE),
    HLEN(2, Kind.READ),
    HSTRLEN(3, Kind.READ),
    HEXISTS(3, Kind.READ),
    HKEYS(2, Kind.READ),
    HVALS(2, Kind.READ),
    HINCRBY(4, Kind.WRITE),
    HINCRBYFLOAT(4, Kind.WRITE),
    HRANDFIELD(-2, Kind.WRITE),
    HSCAN(-3, Kind.READ),
    LPUSH(-3, Kind.WRITE),
    RPUSH(-3, Kind.WRITE),
    LPUSHX(-3, Kind.WRITE),
    RPUSHX(-3, Kind.WRITE),
    LPOP(-2, Kind.WRITE),
    RPOP(-2, Kind.WRITE),
    LLEN(2, Kind.READ),
    LRANGE(4, Kind.READ),
    LINDEX(3, Kind.READ),
    LSET(4, Kind.WRITE),
    LINSERT(5, Kind.WRITE),
    LREM(4, Kind.WRITE),
    LTRIM(4, Kind.WRITE),
    LPOS(-3, Kind.READ),
    RPOPLPUSH(3, Kind.WRITE),
    LMOVE(5, Kind.WRITE),
    BLPOP(-3, Kind.WRITE),
    BRPOP(-3, Kind.WRITE),
    SADD(-3, Kind.WRITE),
    SREM(-3, Kind.WRITE),
    SISMEMBER(3, Kind.READ),
    SMISMEMBER(-3, Kind.READ),
    SCARD(2, Kind.READ),
    SMEMBERS(2, Kind.READ),
    SPOP(-2, Kind.WRITE),
    SRANDMEMBER(-2, Kind.WRITE),
    SMOVE(4, Kind.WRITE),
    SINTER(-2, Kind.READ),
    SUNION(-2, Kind.READ),
    SDIFF(-2, Kind.READ),
    SINTERSTORE(-3, Kind.WRITE),
    SUNIONSTORE(-3, Kind.WRITE),
    SDIFFSTORE(-3, Kind.WRITE),
    SINTERCARD(-3, Kind.READ),
    SSCAN(-3, Kind.READ),
    ZADD(-4, Kind.WRITE),
    ZREM(-3, Kind.WRITE),
    ZSCORE(3, Kind.READ),
    ZMSCORE(-3, Kind.READ),
    ZCARD(2, Kind.READ),
    ZINCRBY(4, Kind.WRITE),
    ZRANK(3, Kind.READ),
    ZREVRANK(3, Kind.READ),
    ZCOUNT(4, Kind.READ),
    ZLEXCOUNT(4, Kind.READ),
    ZRANGE(-4, Kind.READ),
    ZREVRANGE(-4, Kind.READ),
    ZRANGEBYSCORE(-4, Kind.READ),
    ZREVRANGEBYSCORE(-4, Kind.READ),
    ZRANGEBYLEX(-4, Kind.READ),
    ZREVRANGEBYLEX(-4, Kind.READ),
    ZREMRANGEBYRANK(4, Kind.WRITE),
    ZREMRANGEBYSCORE(4, Kind.WRITE),
    ZREMRANGEBYLEX(4, Kind.WRITE),
    ZPOPMIN(-2, Kind.WRITE),
    ZPOPMAX(-2, Kind.WRITE),
    ZSCAN(-3, Kind.READ),
    BLMOVE(6, Kind.WRITE),
    BRPOPLPUSH(4, Kind.WRITE),
    LMPOP(-4, Kind.WRITE, false),
    BLMPOP(-5, Kind.WRITE, false),
    ZUNION(-3, Kind.READ, false),
    ZINTER(-3, Kind.READ, false),
    ZDIFF(-3, Kind.READ, false),
    ZUNIONSTORE(-4, Kind.WRITE),
    ZINTERSTORE(-4, Kind.WRITE),
    ZDIFFSTORE(-4, Kind.WRITE),
    ZINTERCARD(-3, Kind.READ, false),
    ZRANGESTORE(-5, Kind.WRITE),
    ZRANDMEMBER(-2, Kind.WRITE),
    ZMPOP(-4, Kind.WRITE, false),
    BZMPOP(-5, Kind.WRITE, false),
    BZPOPMIN(-3, Kind.WRITE),
    BZPOPMAX(-3, Kind.WRITE),
    SORT(-2, Kind.WRITE),
    SORT_RO(-2, Kind.READ),
    SETBIT(4, Kind.WRITE),
    GETBIT(3, Kind.READ),
    BITCOUNT(-2, Kind.READ),
    BITPOS(-3, Kind.READ),
    BITOP(-4, Kind.WRITE),
    XADD(-5, Kind.WRITE),
    XLEN(2, Kind.READ),
    XRANGE(-4, Kind.READ),
    XREVRANGE(-4, Kind.READ),
    XDEL(-3, Kind.WRITE),
    XTRIM(-4, Kind.WRITE),
    XSETID(-3, Kind.WRITE),
    XREAD(-4, Kind.READ, false),
    XREADGROUP(-7, Kind.WRITE, false),
    XGROUP(-2, Kind.WRITE, false),
    XACK(-4, Kind.WRITE),
    XPENDING(-3, Kind.READ),
    XCLAIM(-6, Kind.WRITE),
    XAUTOCLAIM(-6, Kind.WRITE),
    XINFO(-2, Kind.READ, false),
    SLOWLOG(-2, Kind.READ, false),
    LATENCY(-2, Kind.LOCAL, false),
    SWAPDB(3, Kind.WRITE, false),
    BITFIELD(-2, Kind.WRITE),
    BITFIELD_RO(-2, Kind.READ);

    /** What becomes of a command. */
    public enum Kind {
        /** A query: not in the log. */
        READ,
        /** A command in the log. */
        WRITE,
        /** Answered by the conversation itself. */
        LOCAL
    }

    /**
     * Places of keys among the words of a command, whose own name is at 0.
     *
     * @param first of the keys; 0 if there is none
     * @param last  of the keys; from the end if it is negative
     * @param step  from one to the next
     */
    public record KeyPositions(int first, int last, int step) {
        private static final KeyPositions NONE = new KeyPositions(0, 0, 0);
    }

    private static final RedisCommand[] ALL = values();
    private static final Set<RedisCommand> WAITING =
            EnumSet.of(BLPOP, BRPOP, BLMOVE, BRPOPLPUSH, BLMPOP, BZMPOP, BZPOPMIN, BZPOPMAX, XREAD, XREADGROUP);
    private static final int SLOTS = 1024;
    private static final @Nullable RedisCommand[] BY_NAME = new RedisCommand[SLOTS];

    static {
        for (RedisCommand command : ALL) {
            int hash = 0;
            for (int i = 0; i < command.name().length(); i++) {
                hash = 31 * hash + command.name().charAt(i);
            }
            int slot = slot(hash);
            while (BY_NAME[slot] != null) {
                slot = slot + 1 & SLOTS - 1;
            }
            BY_NAME[slot] = command;
        }
    }

    private final int arity;
    private final Kind kind;
    private final boolean keyed;
    private final String text = name().toLowerCase(Locale.ROOT);

    RedisCommand(int arity, Kind kind) {
        this(arity, kind, true);
    }

    RedisCommand(int arity, Kind kind, boolean keyed) {
        this.arity = arity;
        this.kind = kind;
        this.keyed = keyed;
    }

    /** Returns the command that word {@code i} names, in any case, or null. */
    static @Nullable RedisCommand named(Words words, int i) {
        int slot = slot(words.upperHash(i));
        RedisCommand command = BY_NAME[slot];
        while (command != null && !words.is(i, command.name())) {
            slot = slot + 1 & SLOTS - 1;
            command = BY_NAME[slot];
        }
        return command;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 15) & SLOTS - 1;
    }

    /**
     * Returns the command with that number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static RedisCommand of(int number) {
        if (number < 0 || number >= ALL.length) {
            throw new IllegalArgumentException("there is no command " + number + ", there are " + ALL.length);
        }
        return ALL[number];
    }

    /** Returns how many words there are, or the negative of how many at least. */
    public int arity() {
        return arity;
    }

    /** Returns what becomes of it. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether its answer may have more than a few bytes; SET has such a one with its option GET. */
    public boolean mayAnswerLong() {
        return kind == Kind.READ
                || switch (this) {
                    case GETSET, GETDEL, GETEX, BITFIELD, RANDOMKEY, CONFIG, EXEC -> true;
                    case SUBSCRIBE, UNSUBSCRIBE, PSUBSCRIBE, PUNSUBSCRIBE -> true;
                    case LPOP, RPOP, LMPOP, RPOPLPUSH, LMOVE -> true;
                    case SPOP, SRANDMEMBER, HRANDFIELD, ZRANDMEMBER -> true;
                    case ZPOPMIN, ZPOPMAX, ZMPOP, SORT, XCLAIM, XAUTOCLAIM -> true;
                    default -> mayWait();
                };
    }

    /** Returns whether its client may have to wait for what is not there yet. */
    public boolean mayWait() {
        return WAITING.contains(this);
    }

    /** Returns where its keys are among its words. */
    public KeyPositions keys() {
        return switch (this) {
            case MGET, DEL, UNLINK, EXISTS, TOUCH, WATCH, SINTER, SUNION, SDIFF, SINTERSTORE, SUNIONSTORE, SDIFFSTORE ->
                new KeyPositions(1, -1, 1);
            case MSET, MSETNX -> new KeyPositions(1, -1, 2);
            case RENAME, RENAMENX, COPY, RPOPLPUSH, LMOVE, BLMOVE, BRPOPLPUSH, SMOVE, ZRANGESTORE ->
                new KeyPositions(1, 2, 1);
            case BLPOP, BRPOP, BZPOPMIN, BZPOPMAX -> new KeyPositions(1, -2, 1);
            case OBJECT, MEMORY, XGROUP, XINFO -> new KeyPositions(2, 2, 1);
            case BITOP -> new KeyPositions(2, -1, 1);
            case SINTERCARD -> KeyPositions.NONE;
            default -> keyed ? new KeyPositions(1, 1, 1) : KeyPositions.NONE;
        };
    }

    /** Returns whether some of its keys, or all, are behind their number, or behind a word. */
    public boolean countsKeys() {
        return switch (this) {
            case LMPOP, BLMPOP, ZMPOP, BZMPOP, SINTERCARD -> true;
            case ZUNION, ZINTER, ZDIFF, ZINTERCARD, ZUNIONSTORE, ZINTERSTORE, ZDIFFSTORE, SORT, SORT_RO -> true;
            case XREAD, XREADGROUP -> true;
            default -> false;
        };
    }

    /** Returns whether its first argument is a command of its own. */
    public boolean hasSubcommands() {
        return switch (this) {
            case CLIENT, COMMAND, CONFIG, FUNCTION, LATENCY, MEMORY, OBJECT, PUBSUB, SLOWLOG, XGROUP, XINFO -> true;
            default -> false;
        };
    }

    /** Returns its name in lower case. */
    public String text() {
        return text;
    }

    /** Returns whether it can have so many words, with its own. */
    public boolean takes(int words) {
        return arity >= 0 ? words == arity : words >= -arity;
    }
}
