package io.slipstream.lab.experiment.data;

import io.slipstream.data.annotation.Length;
import io.slipstream.data.codec.Codec;
import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** B14: one object through Java serialization, a ByteBuffer and raw memory. */
public final class Serialisation implements Experiment {
    private static final int ARRAY = 10;
    private static final int CODEC_JDK = 25;

    @Override
    public Card card() {
        return Card.of("B14", "Serialisation", Group.DATA)
                .question("What does it take to write and read one object with a long, a boolean, two ints and two"
                        + " arrays of ten?")
                .reported(
                        "Java serialization, write",
                        "2,187 / 1,715 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "Java serialization",
                        "write",
                        "ns/op")
                .reported(
                        "Java serialization, read",
                        "10,817 / 8,586 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "Java serialization",
                        "read",
                        "ns/op")
                .reported(
                        "ByteBuffer, write",
                        "247 / 174 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "ByteBuffer",
                        "write",
                        "ns/op")
                .reported(
                        "ByteBuffer, read",
                        "243 / 180 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "ByteBuffer",
                        "read",
                        "ns/op")
                .reported(
                        "Raw memory, write",
                        "48 / 27 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "raw memory",
                        "write",
                        "ns/op")
                .reported(
                        "Raw memory, read",
                        "58 / 50 ns",
                        "Nehalem / Sandy Bridge, July 2012",
                        "raw memory",
                        "read",
                        "ns/op")
                .reported("Java serialization, size", "340 bytes", "July 2012", "Java serialization", "write", "bytes")
                .reported("The others, size", "185 bytes", "July 2012", "raw memory", "write", "bytes")
                .plot(Plot.bars("ns/op").log())
                .plot(Plot.bars("bytes"))
                .leavesToFull("a direct ByteBuffer of native order")
                .takes(Duration.ofSeconds(31), Duration.ofMinutes(6))
                .rule("Holds when Java serialization takes at least 5 times as long as a ByteBuffer to write"
                        + " (reported: 9"
                        + " to 10) and 20 times to read (45 to 48), a ByteBuffer at least 2.5 times as long as raw"
                        + " memory to"
                        + " write (5 to 6) and twice to read (about 4), and an object of Java serialization at"
                        + " least 1.5"
                        + " times the bytes (1.8).")
                .explanation("""
                    Java serialization describes the class to a reader that may know nothing of it, walks object
                    graphs and calls through reflection. A format that both sides know needs none of that: each
                    field is one store at a known place, and an array is one copy.

                    A ByteBuffer checks its bounds and moves its position with every field; here it is written
                    field by field and element by element, as in the article, into one on the heap that has the
                    default order of bytes. A direct one of native order stands beside it. Raw memory is
                    java.lang.foreign's MemorySegment, with arrays copied in bulk. Slipstream's codec does the
                    same with code that it makes from the class; its bytes carry a version and the schema's
                    fingerprint.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        for (String operation : List.of("write", "read")) {
            plan.addBenchmark("Java serialization", operation, Messages.class, operation)
                    .param("way", "java")
                    .warmUp(Duration.ofSeconds(2));
            plan.addBenchmark("ByteBuffer", operation, Messages.class, operation)
                    .param("way", "buffer");
            if (plan.isComplete()) {
                plan.addBenchmark("ByteBuffer, direct and native", operation, Messages.class, operation)
                        .param("way", "native");
            }
            plan.addBenchmark("raw memory", operation, Messages.class, operation)
                    .param("way", "memory")
                    .needsForeignMemory();
            plan.addBenchmark("Slipstream's codec", operation, Messages.class, operation)
                    .param("way", "codec")
                    .needsJdk(CODEC_JDK);
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "Java serialization", "write", "ByteBuffer", "write")
                        .atLeast(5, "Java serialization against ByteBuffer, writing:"),
                () -> found.ratio("ns/op", "Java serialization", "read", "ByteBuffer", "read")
                        .atLeast(20, "Java serialization against ByteBuffer, reading:"),
                () -> found.ratio("ns/op", "ByteBuffer", "write", "raw memory", "write")
                        .atLeast(2.5, "ByteBuffer against raw memory, writing:"),
                () -> found.ratio("ns/op", "ByteBuffer", "read", "raw memory", "read")
                        .atLeast(2, "ByteBuffer against raw memory, reading:"),
                () -> found.ratio("bytes", "Java serialization", "write", "raw memory", "write")
                        .atLeast(1.5, "Bytes, Java serialization against raw memory:"));
    }

    /** One object there and back. */
    @State(Scope.Thread)
    public static class Messages {
        @Param({"java", "buffer", "native", "memory", "codec"})
        private String way = "";

        private final Thing thing = Thing.filled();
        private Way chosen = new ByMemory();
        private Thing last = thing;

        @Setup
        public void choose() throws Exception {
            use(
                    switch (way) {
                        case "java" -> new ByJava();
                        case "buffer" -> new ByBuffer(ByteBuffer.allocate(1024));
                        case "native" ->
                            new ByBuffer(ByteBuffer.allocateDirect(1024).order(ByteOrder.nativeOrder()));
                        case "codec" -> new ByCodec();
                        default -> new ByMemory();
                    });
        }

        void use(Way one) throws Exception {
            chosen = one;
            chosen.write(thing);
            last = chosen.read();
        }

        @Benchmark
        public int write(Size size) throws Exception {
            size.bytes = chosen.write(thing);
            return size.bytes;
        }

        @Benchmark
        public Object read() throws Exception {
            last = chosen.read();
            return last;
        }

        @TearDown(Level.Iteration)
        public void check() throws Exception {
            chosen.write(thing);
            Round.expect(
                    "what is read is what was written",
                    1,
                    chosen.read().isSameAs(thing) && last.isSameAs(thing) ? 1 : 0);
        }
    }

    /** What was written for one object. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Size {
        /** JMH puts it beside the times under this name. */
        public int bytes;
    }

    public interface Way {
        /** Writes to the way's own memory, from its start; returns the size. */
        int write(Thing thing) throws Exception;

        Thing read() throws Exception;
    }

    public static final class Thing implements Serializable {
        private static final long serialVersionUID = 1L;

        private long number;
        private boolean flag;
        private int first;
        private int second;
        private @Length(ARRAY) double[] doubles = new double[ARRAY];
        private @Length(ARRAY) long[] longs = new long[ARRAY];

        /** All zeros: what nothing was read into. */
        Thing() {}

        /** No part of it is zero. */
        private static Thing filled() {
            Thing thing = new Thing();
            thing.number = 1;
            thing.flag = true;
            thing.first = 2;
            thing.second = 3;
            for (int i = 0; i < ARRAY; i++) {
                thing.doubles[i] = 4 + i;
                thing.longs[i] = -1 - i;
            }
            return thing;
        }

        boolean isSameAs(Thing other) {
            return number == other.number
                    && flag == other.flag
                    && first == other.first
                    && second == other.second
                    && Arrays.equals(doubles, other.doubles)
                    && Arrays.equals(longs, other.longs);
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
        private final ByteBuffer buffer;

        ByBuffer(ByteBuffer buffer) {
            this.buffer = buffer;
        }

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
        private static final int DOUBLES = 21;
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

    /** Used where the JVM is new enough; older ones read the rest of this file. */
    private static final class ByCodec implements Way {
        private static final Codec<Thing> THINGS = Codec.of(Thing.class, MethodHandles.lookup());

        private final MemorySegment memory = Arena.ofAuto().allocate(THINGS.maxLength());
        private int length;

        @Override
        public int write(Thing thing) {
            length = THINGS.encode(thing, memory, 0);
            return length;
        }

        @Override
        public Thing read() {
            return THINGS.decode(memory, 0, length);
        }
    }
}
