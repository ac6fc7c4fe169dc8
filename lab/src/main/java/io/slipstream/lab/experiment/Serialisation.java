package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/** B14: one object through Java serialization, a ByteBuffer and raw memory. */
final class Serialisation implements Experiment {
    private static final int ARRAY = 10;
    private static final int FOREIGN_MEMORY_JDK = 22;

    @Override
    public Card card() {
        return Card.of("B14", "Serialisation", Group.DATA)
                .question("What does it take to write and read one object with a long, a boolean, two ints and two"
                        + " arrays of ten?")
                .reported(
                        "Java serialization, write",
                        "2,187 / 1,715 ns",
                        "Nehalem / Sandy Bridge, 2012",
                        "Java serialization",
                        "",
                        "write ns")
                .reported(
                        "Java serialization, read",
                        "10,817 / 8,586 ns",
                        "Nehalem / Sandy Bridge, 2012",
                        "Java serialization",
                        "",
                        "read ns")
                .reported(
                        "ByteBuffer, write",
                        "247 / 174 ns",
                        "Nehalem / Sandy Bridge, 2012",
                        "ByteBuffer",
                        "",
                        "write ns")
                .reported(
                        "ByteBuffer, read", "243 / 180 ns", "Nehalem / Sandy Bridge, 2012", "ByteBuffer", "", "read ns")
                .reported(
                        "Raw memory, write", "48 / 27 ns", "Nehalem / Sandy Bridge, 2012", "raw memory", "", "write ns")
                .reported("Raw memory, read", "58 / 50 ns", "Nehalem / Sandy Bridge, 2012", "raw memory", "", "read ns")
                .reported(
                        "Java serialization, size", "340 against 185 bytes", "2012", "Java serialization", "", "bytes")
                .plot(Plot.bars("write ns").log())
                .plot(Plot.bars("read ns").log())
                .takes(Duration.ofSeconds(10), Duration.ofMinutes(5))
                .rule("Holds when Java serialization takes at least 5 times as long as a ByteBuffer to write and to"
                        + " read, and a ByteBuffer at least 1.2 times as long as raw memory to write.")
                .explanation("""
                        Java serialization describes the class to a reader that may know nothing of it, walks object
                        graphs and calls through reflection. A format that both sides know needs none of that: each
                        field is one store at a known place, and an array is one copy.

                        A ByteBuffer checks its bounds and moves its position with every field; here it is written
                        field by field and element by element, as in the article. Raw memory is java.lang.foreign's
                        MemorySegment, with arrays copied in bulk.""");
    }

    @Override
    public void plan(Plan plan) {
        int times = plan.count(2, 1_000_000, 1_000_000);
        plan.add("Java serialization", () -> run(plan.count(2, 20_000, 1_000_000), new ByJava()));
        plan.add("ByteBuffer", () -> run(times, new ByBuffer()));
        plan.add("raw memory", () -> run(times, new ByMemory())).needsJdk(FOREIGN_MEMORY_JDK);
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("write ns", "Java serialization", "ByteBuffer")
                        .atLeast(5, "Java serialization against ByteBuffer, writing:"),
                found.ratio("read ns", "Java serialization", "ByteBuffer").atLeast(5, "The same, reading:"),
                found.ratio("write ns", "ByteBuffer", "raw memory")
                        .atLeast(1.2, "ByteBuffer against raw memory, writing:"));
    }

    private static Workload run(int times, Way way) {
        return round -> {
            Thing thing = new Thing();
            long writing = 0;
            long reading = 0;
            int size = 0;
            long expected = 0;
            long sum = 0;
            // In turns of a thousand, so that the clock is read seldom.
            for (int done = 0; done < times; done += 1000) {
                int turn = Math.min(1000, times - done);
                long start = System.nanoTime();
                for (int i = 0; i < turn; i++) {
                    thing.number = (long) done + i;
                    size = way.write(thing);
                }
                long written = System.nanoTime();
                long last = 0;
                for (int i = 0; i < turn; i++) {
                    last = way.read().sum();
                }
                reading += System.nanoTime() - written;
                writing += written - start;
                expected += thing.sum();
                sum += last;
            }
            round.record("write ns", (double) writing / times);
            round.record("read ns", (double) reading / times);
            round.record("bytes", size);
            round.check("sum of all fields", expected, sum);
        };
    }

    private interface Way {
        /** Writes to the way's own memory, from its start; returns the size. */
        int write(Thing thing) throws Exception;

        Thing read() throws Exception;
    }

    private static final class Thing implements Serializable {
        private static final long serialVersionUID = 1L;

        private long number = 1;
        private boolean flag = true;
        private int first = 2;
        private int second = 3;
        private final double[] doubles = new double[ARRAY];
        private final long[] longs = new long[ARRAY];

        Thing() {
            for (int i = 0; i < ARRAY; i++) {
                doubles[i] = i;
                longs[i] = i;
            }
        }

        long sum() {
            long sum = number + (flag ? 1 : 0) + first + second;
            for (int i = 0; i < ARRAY; i++) {
                sum += (long) doubles[i] + longs[i];
            }
            return sum;
        }
    }

    private static final class ByJava implements Way {
        private byte[] bytes = new byte[0];

        @Override
        public int write(Thing thing) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream(512);
            try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
                objects.writeObject(thing);
            }
            bytes = out.toByteArray();
            return bytes.length;
        }

        @Override
        public Thing read() throws IOException, ClassNotFoundException {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                return (Thing) in.readObject();
            }
        }
    }

    private static final class ByBuffer implements Way {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(512).order(ByteOrder.nativeOrder());

        @Override
        public int write(Thing thing) {
            buffer.clear();
            buffer.putLong(thing.number)
                    .put((byte) (thing.flag ? 1 : 0))
                    .putInt(thing.first)
                    .putInt(thing.second);
            buffer.putInt(ARRAY);
            for (double d : thing.doubles) {
                buffer.putDouble(d);
            }
            buffer.putInt(ARRAY);
            for (long l : thing.longs) {
                buffer.putLong(l);
            }
            return buffer.position();
        }

        @Override
        public Thing read() {
            buffer.flip();
            Thing thing = new Thing();
            thing.number = buffer.getLong();
            thing.flag = buffer.get() == 1;
            thing.first = buffer.getInt();
            thing.second = buffer.getInt();
            int doubles = buffer.getInt();
            for (int i = 0; i < doubles; i++) {
                thing.doubles[i] = buffer.getDouble();
            }
            int longs = buffer.getInt();
            for (int i = 0; i < longs; i++) {
                thing.longs[i] = buffer.getLong();
            }
            return thing;
        }
    }

    private static final class ByMemory implements Way {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
        private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
        private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
        private static final int DOUBLES = 25;
        private static final int LONGS = DOUBLES + ARRAY * Double.BYTES + Integer.BYTES;
        private static final int SIZE = LONGS + ARRAY * Long.BYTES;

        private final MemorySegment memory = Arena.ofAuto().allocate(SIZE);

        @Override
        public int write(Thing thing) {
            memory.set(LONG, 0, thing.number);
            memory.set(ValueLayout.JAVA_BYTE, 8, (byte) (thing.flag ? 1 : 0));
            memory.set(INT, 9, thing.first);
            memory.set(INT, 13, thing.second);
            memory.set(INT, DOUBLES - Integer.BYTES, ARRAY);
            MemorySegment.copy(thing.doubles, 0, memory, DOUBLE, DOUBLES, ARRAY);
            memory.set(INT, LONGS - Integer.BYTES, ARRAY);
            MemorySegment.copy(thing.longs, 0, memory, LONG, LONGS, ARRAY);
            return SIZE;
        }

        @Override
        public Thing read() {
            Thing thing = new Thing();
            thing.number = memory.get(LONG, 0);
            thing.flag = memory.get(ValueLayout.JAVA_BYTE, 8) == 1;
            thing.first = memory.get(INT, 9);
            thing.second = memory.get(INT, 13);
            MemorySegment.copy(memory, DOUBLE, DOUBLES, thing.doubles, 0, memory.get(INT, DOUBLES - Integer.BYTES));
            MemorySegment.copy(memory, LONG, LONGS, thing.longs, 0, memory.get(INT, LONGS - Integer.BYTES));
            return thing;
        }
    }
}
