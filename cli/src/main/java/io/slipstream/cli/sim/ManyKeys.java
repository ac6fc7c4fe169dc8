package io.slipstream.cli.sim;

import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.sim.workload.Answer;
import io.slipstream.sim.workload.Answer.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Many keys of one client. They are set block by block and nearly all removed again, or expire together: their table
 * grows, and is larger then than one that is loaded with what is left. A SCAN tells each key that is there from its
 * first call to its last one.
 */
final class ManyKeys {
    /* A message of a simulated service has at most 2,000 bytes, so that names are short. */
    private static final int BLOCK = 120;
    private static final int FILLS = 9;
    private static final int REMOVALS = 8;
    private static final int RADIX = Character.MAX_RADIX;
    private static final int BURSTS = 10;
    private static final int BURST = 30;
    private static final int LONGEST_TTL_MILLIS = 3_000;
    private static final int MOST_SCANNED = 200;
    private static final int ASKED = 10;
    private static final String BEGIN = "0";
    private static final String LINE_END = "\r\n";

    /* A query of that time, far in the future, finds nothing that expires. */
    private static final long AFTER_ALL_MILLIS = 1L << 45;

    private final int database;
    private final String prefix;
    private final String expiring;
    private final IdentityHashMap<byte[], Step> open = new IdentityHashMap<>();
    private final BitSet present = new BitSet();
    /* Blocks that a command whose outcome is unknown may still remove. */
    private final BitSet doubtful = new BitSet();
    private int steps;
    private byte @Nullable [] scan;
    private String cursor = BEGIN;
    /* Keys that the scan must still tell. */
    private final BitSet missing = new BitSet();

    /** A block that is set or removed, as the {@code number}th step. */
    private record Step(int number, int block, boolean isFill) {
        int first() {
            return BLOCK * block;
        }

        int end() {
            return BLOCK * (block + 1);
        }
    }

    ManyKeys(int client, int database) {
        this.database = database;
        String name = Integer.toString(client, RADIX) + ".";
        this.prefix = "k" + name;
        this.expiring = "x" + name;
    }

    /** Sets or removes the next block. */
    byte[] next() {
        int turn = steps % (FILLS + REMOVALS);
        boolean isFill = turn < FILLS;
        Step step = new Step(steps++, isFill ? turn : turn - FILLS, isFill);
        List<String> words = new ArrayList<>();
        for (int i = step.first(); i < step.end(); i++) {
            words.add(prefix + Integer.toString(i, RADIX));
            if (isFill) {
                words.add("v");
            }
        }
        if (!isFill) {
            forget(step);
        }
        byte[] payload = Payloads.of(database, isFill ? RedisCommand.MSET : RedisCommand.UNLINK, words);
        open.put(payload, step);
        return payload;
    }

    /** Sets other keys, all at once, which expire in the same millisecond. */
    byte[] burst(RandomGenerator random) {
        int first = BURST * random.nextInt(BURSTS);
        String millis = Integer.toString(1 + random.nextInt(LONGEST_TTL_MILLIS));
        List<byte[]> commands = new ArrayList<>();
        for (int i = first; i < first + BURST; i++) {
            commands.add(Payloads.of(database, RedisCommand.SET, List.of(expiring + i, "v", "PX", millis)));
        }
        return Payloads.transaction(commands);
    }

    /** Asks for one of all keys, which chance and their order decide. */
    byte[] some() {
        return Payloads.of(database, RedisCommand.RANDOMKEY, List.of());
    }

    /** Asks for some keys that expire; whatever the answer, that changes nothing. */
    byte[] look(RandomGenerator random) {
        int first = random.nextInt(BURST * BURSTS);
        List<String> words = new ArrayList<>();
        for (int i = first; i < first + ASKED; i++) {
            words.add(expiring + i);
        }
        return Payloads.of(database, RedisCommand.EXISTS, random.nextBoolean() ? 0 : AFTER_ALL_MILLIS, words);
    }

    /** Begins a scan or goes on with it; null if the last call has no answer yet. */
    byte @Nullable [] scan(RandomGenerator random) {
        if (scan != null) {
            return null;
        }
        if (cursor.equals(BEGIN)) {
            missing.clear();
            missing.or(present);
        }
        String count = Integer.toString(1 + random.nextInt(MOST_SCANNED));
        byte[] query = Payloads.of(database, RedisCommand.SCAN, 0, List.of(cursor, "COUNT", count));
        scan = query;
        return query;
    }

    void onAnswer(byte[] said, Answer answer) {
        if (said == scan) {
            scan = null;
            if (answer.outcome() == Outcome.REPLIED) {
                onScanned(new String(answer.reply(), StandardCharsets.UTF_8).split(LINE_END));
            }
            return;
        }
        Step step = open.remove(said);
        if (step == null) {
            return;
        }
        boolean isDone = answer.outcome() == Outcome.REPLIED && answer.reply()[0] != '-';
        if (step.isFill) {
            boolean isRemovedSince = steps > step.number + FILLS;
            if (isDone && !isRemovedSince && !doubtful.get(step.block)) {
                present.set(step.first(), step.end());
            }
        } else if (!isDone && answer.outcome() != Outcome.REFUSED) {
            doubtful.set(step.block);
            forget(step);
        }
    }

    /** What was answered may be gone. */
    void onLoss() {
        present.clear();
        missing.clear();
    }

    private void forget(Step step) {
        present.clear(step.first(), step.end());
        missing.clear(step.first(), step.end());
    }

    /** The lines are an array of the cursor and an array of keys. */
    private void onScanned(String[] lines) {
        if (lines.length < 4) {
            throw new IllegalStateException("SCAN " + cursor + " was answered with " + String.join("|", lines));
        }
        cursor = lines[2];
        for (int i = 5; i < lines.length; i += 2) {
            if (lines[i].startsWith(prefix)) {
                missing.clear(Integer.parseInt(lines[i].substring(prefix.length()), RADIX));
            }
        }
        if (cursor.equals(BEGIN) && !missing.isEmpty()) {
            throw new IllegalStateException("a SCAN has not told " + missing.cardinality()
                    + " keys that were there all the time, the first is " + prefix
                    + Integer.toString(missing.nextSetBit(0), RADIX));
        }
    }
}
