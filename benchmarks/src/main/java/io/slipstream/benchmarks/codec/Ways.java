package io.slipstream.benchmarks.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.slipstream.data.codec.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** The values, and ways that make a new record of each. */
final class Ways {
    private static final int SLOT = 192;

    private Ways() {}

    static Order[] orders() {
        return IntStream.range(0, Way.COUNT).mapToObj(Order::of).toArray(Order[]::new);
    }

    static Thing[] things() {
        return IntStream.range(0, Way.COUNT).mapToObj(Thing::of).toArray(Thing[]::new);
    }

    static MutableThing[] mutableThings() {
        return IntStream.range(0, Way.COUNT)
                .mapToObj(i -> MutableThing.of(Thing.of(i)))
                .toArray(MutableThing[]::new);
    }

    static <T> Way ours(Codec<T> codec, T[] values, ToLongFunction<T> sum) {
        MemorySegment memory = Arena.global().allocate((long) Way.COUNT * SLOT, 64);
        int[] lengths = new int[Way.COUNT];
        return new Way() {
            @Override
            public int write(int i) {
                return lengths[i] = codec.encode(values[i], memory, (long) i * SLOT, SLOT);
            }

            @Override
            public long read(int i) {
                return sum.applyAsLong(codec.decode(memory, (long) i * SLOT, lengths[i]));
            }
        };
    }

    static <T> Way kryo(Class<T> type, T[] values, ToLongFunction<T> sum) {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        kryo.register(Side.class);
        kryo.register(double[].class);
        kryo.register(long[].class);
        kryo.register(type);
        byte[][] bytes = new byte[Way.COUNT][SLOT * 2];
        Output output = new Output(SLOT * 2);
        Input input = new Input();
        return new Way() {
            @Override
            public int write(int i) {
                output.setBuffer(bytes[i]);
                kryo.writeObject(output, values[i]);
                return output.position();
            }

            @Override
            public long read(int i) {
                input.setBuffer(bytes[i]);
                return sum.applyAsLong(kryo.readObject(input, type));
            }
        };
    }

    static <T> Way fory(Class<T> type, T[] values, ToLongFunction<T> sum) {
        Fory fory =
                Fory.builder().withXlang(false).requireClassRegistration(true).build();
        fory.register(Side.class);
        fory.register(type);
        MemoryBuffer[] buffers = new MemoryBuffer[Way.COUNT];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = MemoryBuffer.newHeapBuffer(SLOT * 2);
        }
        return new Way() {
            @Override
            public int write(int i) {
                MemoryBuffer buffer = buffers[i];
                buffer.writerIndex(0);
                fory.serialize(buffer, values[i]);
                return buffer.writerIndex();
            }

            @Override
            public long read(int i) {
                MemoryBuffer buffer = buffers[i];
                buffer.readerIndex(0);
                return sum.applyAsLong(type.cast(fory.deserialize(buffer)));
            }
        };
    }

    static <T> Way java(Class<T> type, T[] values, ToLongFunction<T> sum) {
        byte[][] bytes = new byte[Way.COUNT][];
        ByteArrayOutputStream out = new ByteArrayOutputStream(SLOT * 4);
        return new Way() {
            @Override
            public int write(int i) throws Exception {
                out.reset();
                try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
                    objects.writeObject(values[i]);
                }
                bytes[i] = out.toByteArray();
                return bytes[i].length;
            }

            @Override
            public long read(int i) throws Exception {
                try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes[i]))) {
                    return sum.applyAsLong(type.cast(in.readObject()));
                }
            }
        };
    }
}
