package io.slipstream.cli.sim;

import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.sim.workload.Answer;
import io.slipstream.sim.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client of the key-value store. With some keys, which all clients share, it does whatever comes: keys that expire or
 * are evicted among them. Others are its own: it knows what Redis would hold there, and each answer must say so. In a
 * life where each key may be evicted it has none of its own.
 */
final class StoreClient implements Workload {
    private static final int KEYS = 6;
    private static final int SHARED_DATABASES = 2;
    private static final int DATABASES = 16;
    private static final String OUT_OF_MEMORY = "-OOM ";

    private final int number;
    private final int database;
    private OwnKeys own = new OwnKeys("");
    private final boolean evictsAll;
    private final ManyKeys many;
    private boolean isLimited;
    private int renewed;
    private byte @Nullable [] open;
    private RedisCommand command = RedisCommand.PING;
    private List<String> words = List.of();

    /**
     * Creates a client.
     *
     * @param evictsAll whether keys that do not expire may be evicted in this life, too
     */
    StoreClient(int number, boolean evictsAll) {
        this.number = number;
        this.evictsAll = evictsAll;
        // What is swapped and moved is in the others.
        this.database = SHARED_DATABASES + number % (DATABASES - SHARED_DATABASES);
        this.many = new ManyKeys(number, evictsAll ? 0 : database);
        renew();
    }

    @Override
    public byte[] next(RandomGenerator random) {
        if (evictsAll && !isLimited) {
            // Memory is short from the begin on, so that a difference has all of the life to show.
            isLimited = true;
            return memory(random);
        }
        if (evictsAll || open != null || random.nextBoolean()) {
            return anything(random);
        }
        command = OwnKeys.COMMANDS[random.nextInt(OwnKeys.COMMANDS.length)];
        words = own.words(command, random);
        byte[] payload = Payloads.of(database, command, words);
        open = payload;
        return payload;
    }

    @Override
    public byte @Nullable [] ask(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> many.look(random);
            case 1 -> null;
            default -> evictsAll ? null : many.scan(random);
        };
    }

    @Override
    public void onAnswer(byte[] said, Answer answer) {
        if (said != open) {
            many.onAnswer(said, answer);
            return;
        }
        open = null;
        switch (answer.outcome()) {
            case REPLIED -> {
                String reply = new String(answer.reply(), StandardCharsets.UTF_8);
                if (!reply.startsWith(OUT_OF_MEMORY)) {
                    requireSame(reply, own.answer(command, words));
                }
            }
            case REFUSED -> {
                // Nothing has changed.
            }
            case REJECTED ->
                throw new IllegalStateException(command + " " + words + " was rejected: " + answer.reason());
            default -> renew();
        }
    }

    @Override
    public void onLoss() {
        renew();
        many.onLoss();
    }

    private void requireSame(String reply, String expected) {
        if (!reply.equals(expected)) {
            throw new IllegalStateException(command + " " + words + " was answered with " + visible(reply)
                    + ", and Redis would have answered " + visible(expected));
        }
    }

    private static String visible(String reply) {
        return '"' + reply.strip().replace("\r\n", "|") + '"';
    }

    /** What it knows of its keys is void, so it takes others. */
    private void renew() {
        own = new OwnKeys("client" + number + "." + renewed++ + ".");
    }

    private byte[] anything(RandomGenerator random) {
        String key = "key" + random.nextInt(KEYS);
        String other = "key" + random.nextInt(KEYS);
        String value = Integer.toString(random.nextInt(1_000));
        return switch (random.nextInt(40)) {
            case 0, 1 -> shared(random, RedisCommand.SET, key, value);
            case 2 -> shared(random, RedisCommand.SET, key, value, "PX", Integer.toString(1 + random.nextInt(5_000)));
            case 3 -> shared(random, RedisCommand.INCR, key);
            case 4 -> shared(random, RedisCommand.APPEND, key, value);
            case 5 -> shared(random, RedisCommand.DEL, key, other);
            case 6 -> shared(random, RedisCommand.PEXPIRE, key, Integer.toString(random.nextInt(5_000)));
            case 7 -> shared(random, RedisCommand.RENAME, key, other);
            case 8 -> shared(random, RedisCommand.RPUSH, "list" + key, value, other);
            case 9 -> shared(random, RedisCommand.LPOP, "list" + key);
            case 10 -> shared(random, RedisCommand.SADD, "set" + key, value, other);
            case 11 -> shared(random, RedisCommand.SPOP, "set" + key);
            case 12 -> shared(random, RedisCommand.HSET, "hash" + key, other, value);
            case 13 -> shared(random, RedisCommand.ZADD, "sorted" + key, value, other);
            case 14 -> shared(random, RedisCommand.ZPOPMIN, "sorted" + key);
            case 15 -> shared(random, RedisCommand.BLMOVE, "list" + key, "list" + other, "LEFT", "RIGHT", "0.5");
            case 16 -> shared(random, RedisCommand.ZUNIONSTORE, "sorted" + key, "2", "sorted" + other, "set" + other);
            case 17 -> shared(random, RedisCommand.SWAPDB, "0", "1");
            case 18 -> shared(random, RedisCommand.MOVE, key, "1");
            case 19 -> shared(random, RedisCommand.LMOVE, "list" + key, "list" + other, "LEFT", "RIGHT");
            case 20, 21 -> memory(random);
            case 22 -> shared(random, RedisCommand.RANDOMKEY);
            case 23 -> many.some();
            case 24, 25, 26, 27 -> many.burst(random);
            default -> many.next();
        };
    }

    /** Where each client has keys of its own for ever, those that do not expire are never evicted. */
    private byte[] memory(RandomGenerator random) {
        String evicting = evictsAll ? "allkeys-lru" : "volatile-ttl";
        return shared(
                random,
                RedisCommand.CONFIG,
                "SET",
                "maxmemory-policy",
                random.nextInt(4) == 0 ? "noeviction" : evicting,
                "maxmemory",
                60 + random.nextInt(200) + "kb");
    }

    private static byte[] shared(RandomGenerator random, RedisCommand command, String... words) {
        return Payloads.of(random.nextInt(SHARED_DATABASES), command, List.of(words));
    }
}
