package io.slipstream.keyvalue.resp;

import java.util.ArrayList;
import java.util.List;

/** Finds the keys among the words of a command. */
final class KeyWords {
    private static final RedisError WRONG = new RedisError("ERR Invalid arguments specified for command");

    private KeyWords() {}

    /**
     * Returns the keys of a command whose own name is word 0.
     *
     * @throws RedisError if there is no such command, it cannot have so many words, or has no keys
     */
    static List<byte[]> of(Words words) {
        RedisCommand command = RedisCommand.named(words, 0);
        if (command == null) {
            throw new RedisError("ERR Invalid command specified");
        }
        if (!command.countsKeys() && command.keys().first() == 0) {
            throw new RedisError("ERR The command has no key arguments");
        }
        if (!command.takes(words.count())) {
            throw new RedisError("ERR Invalid number of arguments specified for command");
        }
        List<byte[]> keys = new ArrayList<>();
        if (!command.countsKeys()) {
            RedisCommand.KeyPositions at = command.keys();
            int last = at.last() < 0 ? words.count() + at.last() : at.last();
            add(words, at.first(), last, at.step(), keys);
        } else {
            switch (command) {
                case SORT, SORT_RO -> addSorted(command, words, keys);
                case XREAD, XREADGROUP -> addStreams(words, keys);
                case BLMPOP, BZMPOP -> addCounted(words, 2, keys);
                case ZUNIONSTORE, ZINTERSTORE, ZDIFFSTORE -> {
                    keys.add(words.bytes(1));
                    addCounted(words, 2, keys);
                }
                default -> addCounted(words, 1, keys);
            }
        }
        return keys;
    }

    private static void add(Words words, int first, int last, int step, List<byte[]> keys) {
        if (last >= words.count()) {
            throw WRONG;
        }
        for (int i = first; i <= last; i += step) {
            keys.add(words.bytes(i));
        }
    }

    private static void addCounted(Words words, int at, List<byte[]> keys) {
        long count = words.number(at, WRONG);
        if (count < 1 || count > words.count() - 1 - at) {
            throw WRONG;
        }
        add(words, at + 1, at + (int) count, 1, keys);
    }

    /** The key, and the one that the result goes to: the last that STORE names. */
    private static void addSorted(RedisCommand command, Words words, List<byte[]> keys) {
        keys.add(words.bytes(1));
        int store = 0;
        for (int i = 2; i + 1 < words.count(); i++) {
            if (command == RedisCommand.SORT && words.is(i, "STORE")) {
                store = ++i;
            } else if (words.is(i, "LIMIT")) {
                i += 2;
            } else if (words.is(i, "GET") || words.is(i, "BY")) {
                i++;
            }
        }
        if (store > 0) {
            keys.add(words.bytes(store));
        }
    }

    /** Half of what is behind STREAMS; the other half are ids. */
    private static void addStreams(Words words, List<byte[]> keys) {
        int streams = 1;
        while (streams < words.count() && !words.is(streams, "STREAMS")) {
            streams += words.is(streams, "GROUP") ? 3 : words.is(streams, "NOACK") ? 1 : 2;
        }
        int left = words.count() - streams - 1;
        if (left < 2 || left % 2 != 0) {
            throw WRONG;
        }
        add(words, streams + 1, streams + left / 2, 1, keys);
    }
}
