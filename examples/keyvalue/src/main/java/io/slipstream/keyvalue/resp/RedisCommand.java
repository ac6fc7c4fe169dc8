package io.slipstream.keyvalue.resp;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The commands that are understood. Their order is in the log: new ones go to the end.
 *
 * <p>What tells how much time is left is in the log too: a query has no time of its own.
 *
 * <p>Arity is Redis': the number of words with the command's own, or its negative if there may be more.
 */
public enum RedisCommand {
    GET(2, Kind.READ), SET(-3, Kind.WRITE), SETNX(3, Kind.WRITE), SETEX(4, Kind.WRITE), PSETEX(4, Kind.WRITE),
    GETSET(3, Kind.WRITE), GETDEL(2, Kind.WRITE), GETEX(-2, Kind.WRITE), STRLEN(2, Kind.READ), APPEND(3, Kind.WRITE),
    SETRANGE(4, Kind.WRITE), GETRANGE(4, Kind.READ), SUBSTR(4, Kind.READ), INCR(2, Kind.WRITE), DECR(2, Kind.WRITE),
    INCRBY(3, Kind.WRITE), DECRBY(3, Kind.WRITE), MGET(-2, Kind.READ), MSET(-3, Kind.WRITE), MSETNX(-3, Kind.WRITE),
    DEL(-2, Kind.WRITE), UNLINK(-2, Kind.WRITE), EXISTS(-2, Kind.READ), TOUCH(-2, Kind.READ), EXPIRE(-3, Kind.WRITE),
    PEXPIRE(-3, Kind.WRITE), EXPIREAT(-3, Kind.WRITE), PEXPIREAT(-3, Kind.WRITE), TTL(2, Kind.WRITE),
    PTTL(2, Kind.WRITE), EXPIRETIME(2, Kind.READ), PEXPIRETIME(2, Kind.READ), PERSIST(2, Kind.WRITE),
    TYPE(2, Kind.READ), DBSIZE(1, Kind.READ), FLUSHDB(-1, Kind.WRITE), FLUSHALL(-1, Kind.WRITE), INFO(-1, Kind.READ),
    PING(-1, Kind.LOCAL), ECHO(2, Kind.LOCAL), HELLO(-1, Kind.LOCAL), CLIENT(-2, Kind.LOCAL),
    COMMAND(-1, Kind.LOCAL), SELECT(2, Kind.LOCAL), CONFIG(-2, Kind.LOCAL), QUIT(-1, Kind.LOCAL);

    /** What becomes of a command. */
    public enum Kind {
        /** A query: not in the log. */
        READ,
        /** A command in the log. */
        WRITE,
        /** Answered by the conversation itself. */
        LOCAL
    }

    private static final RedisCommand[] ALL = values();
    private static final Map<String, RedisCommand> BY_NAME = new HashMap<>();

    static {
        for (RedisCommand command : ALL) {
            BY_NAME.put(command.name(), command);
        }
    }

    private final int arity;
    private final Kind kind;
    private final String text = name().toLowerCase(Locale.ROOT);

    RedisCommand(int arity, Kind kind) {
        this.arity = arity;
        this.kind = kind;
    }

    /** Returns the command of that name in upper case, or null. */
    static @Nullable RedisCommand named(String name) {
        return BY_NAME.get(name);
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

    /** Returns its name in lower case. */
    public String text() {
        return text;
    }

    /** Returns whether it may have so many words, its own among them. */
    public boolean takes(int words) {
        return arity >= 0 ? words == arity : words >= -arity;
    }
}
