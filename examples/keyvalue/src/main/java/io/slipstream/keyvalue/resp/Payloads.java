package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes commands for those who speak the native protocol; the replies are in RESP2. Any thread. */
public final class Payloads {
    private Payloads() {}

    /**
     * Returns the payload of a command or a query for the first database.
     *
     * @param name  of the command
     * @param words its arguments
     * @throws IllegalArgumentException if it does not take so many
     */
    public static byte[] of(RedisCommand name, List<String> words) {
        return of(0, name, words);
    }

    /**
     * As {@link #of(RedisCommand, List)}, for a database from 0 to 15.
     *
     * @throws IllegalArgumentException also if there is no such database
     */
    public static byte[] of(int database, RedisCommand name, List<String> words) {
        return of(database, name, name.kind() == RedisCommand.Kind.READ ? System.currentTimeMillis() : 0, words);
    }

    /**
     * As {@link #of(int, RedisCommand, List)}, of a query that is asked at that time, in milliseconds since 1970; 0 for
     * the time of the store.
     */
    public static byte[] of(int database, RedisCommand name, long timeMillis, List<String> words) {
        if (database < 0 || database >= Words.DATABASES) {
            throw new IllegalArgumentException("there is no database " + database + ", there are " + Words.DATABASES);
        }
        if (!name.takes(words.size() + 1)) {
            throw new IllegalArgumentException(name + " does not take " + words.size() + " arguments");
        }
        return payload(
                database,
                name,
                timeMillis,
                words.stream()
                        .map(word -> word.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }

    /** Returns the payload of a transaction of these commands, which are payloads, each for its database. */
    public static byte[] transaction(List<byte[]> commands) {
        return payload(0, RedisCommand.EXEC, 0, commands);
    }

    private static byte[] payload(int database, RedisCommand name, long timeMillis, List<byte[]> arguments) {
        Words list = new Words();
        list.take(arguments);
        byte[] payload = new byte[Math.toIntExact(list.payloadBytes())];
        list.writePayload(name, 2, database, 0, timeMillis, MemorySegment.ofArray(payload), 0);
        return payload;
    }
}
