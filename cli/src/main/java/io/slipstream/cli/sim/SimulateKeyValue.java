package io.slipstream.cli.sim;

import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.sim.service.Simulation;
import java.util.List;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;

/** {@code slipstream sim keyvalue}. */
@Command(
        name = "keyvalue",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the key-value store with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
                    + "plays it again, and --trace shows every event."
        })
final class SimulateKeyValue extends SimulateLives {
    private static final int DATABASES = 2;
    private static final int KEYS = 6;

    @Override
    Simulation<?> simulation() {
        return Simulation.of(KeyValueStore::new, SimulateKeyValue::random);
    }

    private static byte[] random(RandomGenerator random) {
        String key = "key" + random.nextInt(KEYS);
        String other = "key" + random.nextInt(KEYS);
        String value = Integer.toString(random.nextInt(1_000));
        return switch (random.nextInt(20)) {
            case 0, 1 -> payload(random, RedisCommand.SET, key, value);
            case 2 -> payload(random, RedisCommand.SET, key, value, "PX", Integer.toString(1 + random.nextInt(5_000)));
            case 3 -> payload(random, RedisCommand.INCR, key);
            case 4 -> payload(random, RedisCommand.APPEND, key, value);
            case 5 -> payload(random, RedisCommand.DEL, key, other);
            case 6 -> payload(random, RedisCommand.PEXPIRE, key, Integer.toString(random.nextInt(5_000)));
            case 7 -> payload(random, RedisCommand.RENAME, key, other);
            case 8 -> payload(random, RedisCommand.RPUSH, "list" + key, value, other);
            case 9 -> payload(random, RedisCommand.LPOP, "list" + key);
            case 10 -> payload(random, RedisCommand.SADD, "set" + key, value, other);
            case 11 -> payload(random, RedisCommand.SPOP, "set" + key);
            case 12 -> payload(random, RedisCommand.HSET, "hash" + key, other, value);
            case 13 -> payload(random, RedisCommand.ZADD, "sorted" + key, value, other);
            case 14 -> payload(random, RedisCommand.ZPOPMIN, "sorted" + key);
            case 15 -> payload(random, RedisCommand.BLMOVE, "list" + key, "list" + other, "LEFT", "RIGHT", "0.5");
            case 16 -> payload(random, RedisCommand.ZUNIONSTORE, "sorted" + key, "2", "sorted" + other, "set" + other);
            case 17 -> payload(random, RedisCommand.SWAPDB, "0", "1");
            case 18 -> payload(random, RedisCommand.MOVE, key, "1");
            default -> payload(random, RedisCommand.LMOVE, "list" + key, "list" + other, "LEFT", "RIGHT");
        };
    }

    private static byte[] payload(RandomGenerator random, RedisCommand command, String... words) {
        return Payloads.of(random.nextInt(DATABASES), command, List.of(words));
    }
}
