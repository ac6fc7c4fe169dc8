package io.slipstream.cli.sim;

import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.sim.service.Simulation;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
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
    /* Of the payload of a command, see io.slipstream.keyvalue.resp.Words. */
    private static final int HEADER_BYTES = 16;
    private static final int KEYS = 12;

    @Override
    Simulation<?> simulation() {
        return Simulation.of(KeyValueStore::new, SimulateKeyValue::random);
    }

    private static byte[] random(RandomGenerator random) {
        String key = "key" + random.nextInt(KEYS);
        String other = "key" + random.nextInt(KEYS);
        String value = Integer.toString(random.nextInt(1_000));
        return switch (random.nextInt(18)) {
            case 0, 1 -> payload(RedisCommand.SET, key, value);
            case 2 -> payload(RedisCommand.SET, key, value, "PX", Integer.toString(1 + random.nextInt(5_000)));
            case 3 -> payload(RedisCommand.INCR, key);
            case 4 -> payload(RedisCommand.APPEND, key, value);
            case 5 -> payload(RedisCommand.DEL, key, other);
            case 6 -> payload(RedisCommand.PEXPIRE, key, Integer.toString(random.nextInt(5_000)));
            case 7 -> payload(RedisCommand.RENAME, key, other);
            case 8 -> payload(RedisCommand.RPUSH, "list" + key, value, other);
            case 9 -> payload(RedisCommand.LPOP, "list" + key);
            case 10 -> payload(RedisCommand.SADD, "set" + key, value, other);
            case 11 -> payload(RedisCommand.SPOP, "set" + key);
            case 12 -> payload(RedisCommand.HSET, "hash" + key, other, value);
            case 13 -> payload(RedisCommand.ZADD, "sorted" + key, value, other);
            case 14 -> payload(RedisCommand.ZPOPMIN, "sorted" + key);
            case 15 -> payload(RedisCommand.BLMOVE, "list" + key, "list" + other, "LEFT", "RIGHT", "0.5");
            case 16 -> payload(RedisCommand.ZUNIONSTORE, "sorted" + key, "2", "sorted" + other, "set" + other);
            default -> payload(RedisCommand.LMOVE, "list" + key, "list" + other, "LEFT", "RIGHT");
        };
    }

    private static byte[] payload(RedisCommand command, String... words) {
        ByteBuffer header =
                ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES * words.length).order(ByteOrder.nativeOrder());
        header.putShort((short) command.ordinal())
                .put((byte) 2)
                .put((byte) 0)
                .putInt(words.length)
                .putLong(0);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String word : words) {
            header.putInt(word.length());
        }
        all.writeBytes(header.array());
        for (String word : words) {
            all.writeBytes(word.getBytes(StandardCharsets.US_ASCII));
        }
        return all.toByteArray();
    }
}
