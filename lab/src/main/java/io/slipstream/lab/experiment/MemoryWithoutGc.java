package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.function.Supplier;

/** B23: large memory as arrays, direct buffers and raw memory, beside C++. */
final class MemoryWithoutGc implements Experiment {
    private static final int BLOCK = 1 << 26;
    private static final int FOREIGN_MEMORY_JDK = 22;
    private static final int UNROLL = 8;

    @Override
    public Card card() {
        return Card.of("B23", "Memory without GC", Group.MEMORY)
                .question("How fast can a large memory be allocated, filled and read as Java arrays, direct buffers and"
                        + " raw memory, and in C++?")
                .reported(
                        "C++ char, 16 GB: write, read",
                        "12.0 s (8.8 unrolled); 8.7 s (6.6)",
                        "2011",
                        "C++ char",
                        "",
                        "write MB/s")
                .reported("C++ long long, 16 GB: write, read", "4.6 s; 1.4 s", "2011", "C++ long", "", "write MB/s")
                .reported(
                        "byte[], 16 GB: first write, then write, read",
                        "20.7 s, then 7.8 s; 7.4 s",
                        "2011",
                        "byte[]",
                        "",
                        "write MB/s")
                .reported("byte[], unrolled: write, read", "7.1 s; 8.5 s", "2011", "byte[], unrolled", "", "write MB/s")
                .plot(Plot.bars("write MB/s"))
                .plot(Plot.bars("read MB/s"))
                .plot(Plot.bars("allocate ms"))
                .takes(Duration.ofSeconds(22), Duration.ofMinutes(15))
                .rule("Holds when the better of Java's raw memory and long[] reads and writes longs at least 0.8"
                        + " times as fast as C++.")
                .explanation("""
                        The first write to fresh memory pays for the kernel's zeroed pages, whatever the language.
                        After that it is the width of each access that counts: eight bytes at a time is up to eight
                        times as fast as one, until the memory itself is the limit. The JIT compiler vectorises simple
                        loops over arrays as a C++ compiler does, so plain and unrolled come close today.

                        Off-heap memory has no collector to pay and no limit of 2 GB for each piece. Touch it once at
                        the start (pre-fault), not in the hot path.""");
    }

    @Override
    public void plan(Plan plan) {
        long wanted = plan.size(BLOCK, 4L * BLOCK, 16L << 30);
        int blocks = (int) (wanted / BLOCK);
        long heap = (wanted >> 20) + 300;
        String[] flags = {"-Xms" + heap + "m", "-Xmx" + heap + "m", "-Xmn100m"};
        plan.add("byte[]", () -> new Passes(blocks, Bytes::new)).jvm(flags);
        plan.add("byte[], unrolled", () -> new Passes(blocks, UnrolledBytes::new))
                .jvm(flags);
        plan.add("long[]", () -> new Passes(blocks, Longs::new)).jvm(flags);
        String direct = "-XX:MaxDirectMemorySize=" + (heap + 64) + "m";
        plan.add("direct buffer, longs", () -> new Passes(blocks, Direct::new)).jvm(direct);
        plan.add("raw memory, longs", () -> new Passes(blocks, Raw::new))
                .jvm(direct)
                .needsJdk(FOREIGN_MEMORY_JDK);
        plan.addTwin("C++ char", "", "memory_passes.cpp", "char", wanted);
        plan.addTwin("C++ long", "", "memory_passes.cpp", "long", wanted);
        if (plan.memoryBytes() < 1.3 * wanted) {
            plan.cases()
                    .forEach(c -> c.skip("needs " + Figure.bytes(wanted) + " of memory and there are "
                            + Figure.bytes(plan.memoryBytes())));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(best(found, "write MB/s"), best(found, "read MB/s"));
    }

    private static Verdict best(Findings found, String metric) {
        String java = found.get("long[]", "", metric).median()
                        > found.get("raw memory, longs", "", metric).median()
                ? "long[]"
                : "raw memory, longs";
        return found.ratio(metric, java, "C++ long").atLeast(0.8, java + " against C++ long (" + metric + "):");
    }

    /** One block of {@link #BLOCK} bytes. */
    private interface Block {
        void fill(byte value);

        /** The sum of its bytes, or of its longs. */
        long sum();

        long expectedSum(byte value);
    }

    private static final class Passes implements Workload {
        private final Block[] blocks;
        private final double allocateMillis;
        private byte value;

        Passes(int count, Supplier<Block> source) {
            blocks = new Block[count];
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                blocks[i] = source.get();
                blocks[i].fill((byte) 0);
            }
            allocateMillis = (System.nanoTime() - start) / 1e6;
        }

        @Override
        public void run(Round round) {
            value++;
            long start = System.nanoTime();
            for (Block block : blocks) {
                block.fill(value);
            }
            long written = System.nanoTime();
            long sum = 0;
            for (Block block : blocks) {
                sum += block.sum();
            }
            long end = System.nanoTime();
            double megabytes = (double) blocks.length * BLOCK / 1e6;
            round.record("write MB/s", megabytes * 1e9 / (written - start));
            round.record("read MB/s", megabytes * 1e9 / (end - written));
            round.record("allocate ms", allocateMillis);
            round.check("sum", blocks[0].expectedSum(value) * blocks.length, sum);
        }
    }

    private static class Bytes implements Block {
        final byte[] bytes = new byte[BLOCK];

        @Override
        public void fill(byte value) {
            for (int i = 0; i < BLOCK; i++) {
                bytes[i] = value;
            }
        }

        @Override
        public long sum() {
            long sum = 0;
            for (int i = 0; i < BLOCK; i++) {
                sum += bytes[i];
            }
            return sum;
        }

        @Override
        public long expectedSum(byte value) {
            return (long) value * BLOCK;
        }
    }

    private static final class UnrolledBytes extends Bytes {
        @Override
        public void fill(byte value) {
            for (int i = 0; i < BLOCK; i += UNROLL) {
                bytes[i] = value;
                bytes[i + 1] = value;
                bytes[i + 2] = value;
                bytes[i + 3] = value;
                bytes[i + 4] = value;
                bytes[i + 5] = value;
                bytes[i + 6] = value;
                bytes[i + 7] = value;
            }
        }

        @Override
        public long sum() {
            long sum = 0;
            for (int i = 0; i < BLOCK; i += UNROLL) {
                sum += bytes[i]
                        + bytes[i + 1]
                        + bytes[i + 2]
                        + bytes[i + 3]
                        + bytes[i + 4]
                        + bytes[i + 5]
                        + bytes[i + 6]
                        + bytes[i + 7];
            }
            return sum;
        }
    }

    private abstract static class LongBlock implements Block {
        static final int COUNT = BLOCK / Long.BYTES;

        @Override
        public final long expectedSum(byte value) {
            return (long) value * COUNT;
        }
    }

    private static final class Longs extends LongBlock {
        private final long[] longs = new long[COUNT];

        @Override
        public void fill(byte value) {
            for (int i = 0; i < COUNT; i++) {
                longs[i] = value;
            }
        }

        @Override
        public long sum() {
            long sum = 0;
            for (int i = 0; i < COUNT; i++) {
                sum += longs[i];
            }
            return sum;
        }
    }

    private static final class Direct extends LongBlock {
        private final LongBuffer longs =
                ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.nativeOrder()).asLongBuffer();

        @Override
        public void fill(byte value) {
            for (int i = 0; i < COUNT; i++) {
                longs.put(i, value);
            }
        }

        @Override
        public long sum() {
            long sum = 0;
            for (int i = 0; i < COUNT; i++) {
                sum += longs.get(i);
            }
            return sum;
        }
    }

    private static final class Raw extends LongBlock {
        private final MemorySegment longs = Arena.ofAuto().allocate(BLOCK, Long.BYTES);

        @Override
        public void fill(byte value) {
            for (long i = 0; i < COUNT; i++) {
                longs.setAtIndex(ValueLayout.JAVA_LONG, i, value);
            }
        }

        @Override
        public long sum() {
            long sum = 0;
            for (long i = 0; i < COUNT; i++) {
                sum += longs.getAtIndex(ValueLayout.JAVA_LONG, i);
            }
            return sum;
        }
    }
}
