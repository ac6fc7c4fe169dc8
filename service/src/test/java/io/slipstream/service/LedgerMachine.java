package io.slipstream.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * A state machine for tests: it counts how often each number came, and answers with how many came in all.
 *
 * <p>Negative numbers ask for trouble: {@link #THROW}, {@link #SILENT}, {@link #NOTIFY}, {@link #TWICE}.
 */
class LedgerMachine implements StateMachine {
    public static final long THROW = -1;
    public static final long SILENT = -2;
    public static final long NOTIFY = -3;
    public static final long TWICE = -4;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Map<Long, Integer> counts = new HashMap<>();
    private final MemorySegment scratch = MemorySegment.ofArray(new long[1]);
    private long total;
    private long hash;

    /**
     * Creates one that applies nothing before its service, whose gateway needs another thread, has refused something:
     * that of a machine that keeps up would refuse nothing.
     */
    static LedgerMachine untilRefusal(CompletableFuture<Service> service) {
        return new LedgerMachine() {
            @Override
            public void onCommand(Request command, Output output) {
                while (service.join().refused() == 0) {
                    LockSupport.parkNanos(100_000);
                }
                super.onCommand(command, output);
            }
        };
    }

    @Override
    public void onCommand(Request command, Output output) {
        long value = command.memory().get(LONG, command.offset());
        total++;
        hash = hash * 31 + value + command.timeNanos();
        if (value >= 0) {
            counts.merge(value, 1, Integer::sum);
        }
        scratch.set(LONG, 0, total);
        if (value == THROW) {
            throw new IllegalArgumentException("asked to throw");
        }
        if (value == NOTIFY) {
            output.event(command.session(), scratch, 0, 8);
        }
        if (value != SILENT) {
            output.reply(scratch, 0, 8);
        }
        if (value == TWICE) {
            output.reply(scratch, 0, 8);
        }
    }

    /** Answers how often a number came. */
    @Override
    public void onQuery(Request query, Output output) {
        scratch.set(LONG, 0, counts.getOrDefault(query.memory().get(LONG, query.offset()), 0));
        output.reply(scratch, 0, 8);
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(total);
        output.writeLong(hash);
        output.writeInt(counts.size());
        counts.forEach((value, count) -> {
            output.writeLong(value);
            output.writeInt(count);
        });
    }

    @Override
    public void load(StateInput input, int version) {
        total = input.readLong();
        hash = input.readLong();
        for (int left = input.readInt(); left > 0; left--) {
            counts.put(input.readLong(), input.readInt());
        }
    }

    @Override
    public long stateHash() {
        return hash;
    }

    /** Encodes a number as a payload. */
    public static byte[] payload(long value) {
        byte[] bytes = new byte[8];
        MemorySegment.ofArray(bytes).set(LONG, 0, value);
        return bytes;
    }

    /** Decodes a payload. */
    public static long value(byte[] payload) {
        return MemorySegment.ofArray(payload).get(LONG, 0);
    }
}
