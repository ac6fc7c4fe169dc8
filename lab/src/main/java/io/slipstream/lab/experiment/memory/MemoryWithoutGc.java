package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
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
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** B23: large memory as arrays, direct buffers and raw memory, beside C++. */
public final class MemoryWithoutGc implements Experiment {
    private static final int BLOCK = 1 << 26;
    private static final int UNROLL = 4;

    @Override
    public Card card() {
        return Card.of("B23", "Memory without GC", Group.MEMORY)
                .question("How fast can a large memory be allocated, filled and read as Java arrays, direct buffers and"
                        + " raw memory, and in C++?")
                .reported("C++ char, write, 16 GB", "1,430 MB/s (12.0 s)", "August 2011", "C++ char", "", "write MB/s")
                .reported(
                        "C++ char, unrolled, write, 16 GB",
                        "1,950 MB/s (8.8 s)",
                        "August 2011",
                        "C++ char, unrolled",
                        "",
                        "write MB/s")
                .reported("C++ char, read, 16 GB", "1,970 MB/s (8.7 s)", "August 2011", "C++ char", "", "read MB/s")
                .reported(
                        "C++ char, unrolled, read, 16 GB",
                        "2,600 MB/s (6.6 s)",
                        "August 2011",
                        "C++ char, unrolled",
                        "",
                        "read MB/s")
                .reported(
                        "C++ long long, write, 16 GB",
                        "3,730 MB/s (4.6 s)",
                        "August 2011",
                        "C++ long",
                        "",
                        "write MB/s")
                .reported(
                        "C++ long long, read, 16 GB", "12,300 MB/s (1.4 s)", "August 2011", "C++ long", "", "read MB/s")
                .reported(
                        "byte[], 16 GB, first write",
                        "4,900 ms, and 20,700 ms for the first write",
                        "August 2011",
                        "byte[]",
                        "",
                        "allocate ms")
                .reported("byte[], write, 16 GB", "2,200 MB/s (7.8 s)", "August 2011", "byte[]", "", "write MB/s")
                .reported("byte[], read, 16 GB", "2,320 MB/s (7.4 s)", "August 2011", "byte[]", "", "read MB/s")
                .reported(
                        "byte[], unrolled, write, 16 GB",
                        "2,420 MB/s (7.1 s)",
                        "August 2011",
                        "byte[], unrolled",
                        "",
                        "write MB/s")
                .reported(
                        "byte[], unrolled, read, 16 GB",
                        "2,020 MB/s (8.5 s)",
                        "August 2011",
                        "byte[], unrolled",
                        "",
                        "read MB/s")
                .reported("byte[], GC", "51 ms (unrolled 44 ms)", "August 2011", "byte[]", "", "GC ms")
                .reported(
                        "C++ long long, unrolled, write, 16 GB",
                        "4,090 MB/s (4.2 s)",
                        "August 2011",
                        "C++ long, unrolled",
                        "",
                        "write MB/s")
                .reported(
                        "C++ long long, unrolled, read, 16 GB",
                        "14,300 MB/s (1.2 s)",
                        "August 2011",
                        "C++ long, unrolled",
                        "",
                        "read MB/s")
                .plot(Plot.bars("write MB/s"))
                .plot(Plot.bars("read MB/s"))
                .plot(Plot.bars("allocate ms"))
                .plot(Plot.bars("GC ms"))
                .leavesToFull("direct buffers")
                .takes(Duration.ofSeconds(25), Duration.ofMinutes(72))
                .rule("Holds when the fastest of Java's raw memory and long[], plain or unrolled, reads and writes"
                        + " longs at least 0.8 times as fast as the faster of the loops in C++; byte[], plain, is"
                        + " at least 0.8"
                        + " times as fast as C++'s bytes (reported: 1.5 and 1.2); and C++'s longs are, plain, at"
                        + " least 1.5"
                        + " times as fast as its bytes to write and 3 times to read (reported: 2.6 and 6.2).")
                .explanation("""
                    The first write to fresh memory pays for the kernel's zeroed pages, whatever the language.
                    After that it is the width of each access that counts: eight bytes at a time is up to eight
                    times as fast as one, until the memory itself is the limit. The JIT compiler vectorises simple
                    loops over arrays as a C++ compiler does, so plain and unrolled come close today.

                    Each round allocates the memory anew. Arrays and direct buffers come back when a collector
                    has run, which the time for allocation contains; raw memory goes when it is told to.

                    Loops are unrolled four times, as in the article. What is called allocation here contains
                    the first write.

                    Off-heap memory has no collector to pay and no limit of 2 GB for each piece. Touch it once at
                    the start (pre-fault), not in the hot path.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long bytes = plan.size("bytes in all", BLOCK, BLOCK, 16L << 30);
        int blocks = Math.toIntExact(bytes / BLOCK);
        Map<String, Supplier<Block>> heap = new LinkedHashMap<>();
        heap.put("byte[]", ByteArray::new);
        heap.put("long[]", LongArray::new);
        for (boolean unrolled : new boolean[] {false, true}) {
            String how = unrolled ? ", unrolled" : "";
            heap.forEach((name, source) -> plan.add(name + how, () -> new Passes(blocks, source, unrolled))
                    .heap(bytes + (300L << 20))
                    .jvm("-Xmn100m"));
            if (plan.isComplete()) {
                plan.add("direct buffer" + how, () -> new Passes(blocks, DirectLongs::new, unrolled))
                        .heap(300L << 20)
                        .needsMemory(bytes)
                        .jvm("-XX:MaxDirectMemorySize=" + ((bytes >> 20) + 64) + "m");
            }
            plan.add("raw memory" + how, () -> new Passes(blocks, RawLongs::new, unrolled))
                    .heap(300L << 20)
                    .needsMemory(bytes)
                    .needsForeignMemory();
            for (String type : List.of("char", "long")) {
                plan.addTwin("C++ " + type + how, "", "memory_passes.cpp", type, unrolled ? "unrolled" : "plain", bytes)
                        .needsMemory(bytes);
            }
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> best(found, "write MB/s"),
                () -> best(found, "read MB/s"),
                () -> bytes(found, "write MB/s"),
                () -> bytes(found, "read MB/s"),
                () -> found.ratio("write MB/s", "C++ long", "C++ char")
                        .atLeast(1.5, "Longs against bytes in C++ (write MB/s):"),
                () -> found.ratio("read MB/s", "C++ long", "C++ char")
                        .atLeast(3, "Longs against bytes in C++ (read MB/s):"));
    }

    private static Verdict bytes(Findings found, String metric) {
        return found.ratio(metric, "byte[]", "C++ char").atLeast(0.8, "byte[] against C++ char (" + metric + "):");
    }

    private static Verdict best(Findings found, String metric) {
        String java = fastest(found, metric, "long[]", "long[], unrolled", "raw memory", "raw memory, unrolled");
        String cpp = fastest(found, metric, "C++ long", "C++ long, unrolled");
        return found.ratio(metric, java, cpp).atLeast(0.8, java + " against " + cpp + " (" + metric + "):");
    }

    private static String fastest(Findings found, String metric, String... series) {
        return Collections.max(
                List.of(series),
                Comparator.comparingDouble(s -> found.get(s, "", metric).median()));
    }

    /** Allocates, touches, writes, reads and lets go of the whole memory once a round. */
    private static final class Passes implements Workload {
        private final int count;
        private final Supplier<Block> source;
        private final boolean unrolled;
        private byte value;

        Passes(int count, Supplier<Block> source, boolean unrolled) {
            this.source = source;
            this.unrolled = unrolled;
            this.count = count;
        }

        @Override
        public void run(Round round) {
            value++;
            long collecting = collectionMillis();
            long start = System.nanoTime();
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Block block = source.get();
                fill(block, (byte) 0);
                blocks.add(block);
            }
            long allocated = System.nanoTime();
            for (Block block : blocks) {
                fill(block, value);
            }
            long written = System.nanoTime();
            long sum = 0;
            for (Block block : blocks) {
                sum += unrolled ? block.sumUnrolled() : block.sum();
            }
            long end = System.nanoTime();
            double megabytes = (double) count * BLOCK / 1e6;
            round.record("write MB/s", megabytes * 1e9 / (written - allocated));
            round.record("read MB/s", megabytes * 1e9 / (end - written));
            round.record("allocate ms", (allocated - start) / 1e6);
            round.record("GC ms", collectionMillis() - collecting);
            round.check("sum", (long) value * blocks.get(0).count() * count, sum);
            blocks.forEach(Block::free);
        }

        private void fill(Block block, byte content) {
            if (unrolled) {
                block.fillUnrolled(content);
            } else {
                block.fill(content);
            }
        }

        private static long collectionMillis() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                    .sum();
        }
    }

    /**
     * One block of {@link #BLOCK} bytes, filled and read item by item. A forked JVM loads one kind, so that the JIT
     * compiler sees a single {@link #put} and {@link #get} and inlines them.
     */
    private abstract static class Block {
        abstract int count();

        abstract void put(int i, byte value);

        abstract long get(int i);

        void free() {}

        final void fill(byte value) {
            for (int i = 0; i < count(); i++) {
                put(i, value);
            }
        }

        final void fillUnrolled(byte value) {
            for (int i = 0; i < count(); i += UNROLL) {
                put(i, value);
                put(i + 1, value);
                put(i + 2, value);
                put(i + 3, value);
            }
        }

        final long sum() {
            long sum = 0;
            for (int i = 0; i < count(); i++) {
                sum += get(i);
            }
            return sum;
        }

        final long sumUnrolled() {
            long sum = 0;
            for (int i = 0; i < count(); i += UNROLL) {
                sum += get(i) + get(i + 1) + get(i + 2) + get(i + 3);
            }
            return sum;
        }
    }

    private static final class ByteArray extends Block {
        private final byte[] bytes = new byte[BLOCK];

        @Override
        int count() {
            return BLOCK;
        }

        @Override
        void put(int i, byte value) {
            bytes[i] = value;
        }

        @Override
        long get(int i) {
            return bytes[i];
        }
    }

    private abstract static class Longs extends Block {
        @Override
        final int count() {
            return BLOCK / Long.BYTES;
        }
    }

    private static final class LongArray extends Longs {
        private final long[] longs = new long[BLOCK / Long.BYTES];

        @Override
        void put(int i, byte value) {
            longs[i] = value;
        }

        @Override
        long get(int i) {
            return longs[i];
        }
    }

    /** Its memory comes back when a collector has seen that the buffer is gone. */
    private static final class DirectLongs extends Longs {
        private final LongBuffer longs =
                ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.nativeOrder()).asLongBuffer();

        @Override
        void put(int i, byte value) {
            longs.put(i, value);
        }

        @Override
        long get(int i) {
            return longs.get(i);
        }
    }

    private static final class RawLongs extends Longs {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment longs = arena.allocate(BLOCK, Long.BYTES);

        @Override
        void put(int i, byte value) {
            longs.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }

        @Override
        long get(int i) {
            return longs.getAtIndex(ValueLayout.JAVA_LONG, i);
        }

        @Override
        void free() {
            arena.close();
        }
    }
}
