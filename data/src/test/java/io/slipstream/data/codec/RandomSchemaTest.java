package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.DecodeException;
import io.slipstream.data.json.Json;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Property;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random schemas and values. {@code -Dslipstream.data.cases=1000000} makes it long; a failure prints its seed. */
class RandomSchemaTest {
    private static final int VALUES = 50;
    private static final int CASES = Integer.getInteger("slipstream.data.cases", 5_000);

    @Test
    void readsBackWhatItWroteInBothVersionsAndSurvivesAnyBytes() {
        long seed = Long.getLong("slipstream.data.seed", System.nanoTime());
        for (int i = 0; i < CASES / VALUES; i++) {
            Random random = new Random(seed + i);
            RandomInterface of = new RandomInterface(random);
            try {
                for (int j = 0; j < VALUES; j++) {
                    check(of, random);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with -Dslipstream.data.seed=" + (seed + i) + " and " + of, e);
            }
        }
    }

    private static void check(RandomInterface of, Random random) {
        Codec<Object> first = of.first();
        Codec<Object> second = of.second();
        Object old = first.create(RandomInterface.values(first, of, random));
        Object young = second.create(RandomInterface.values(second, of, random));
        byte[] oldBytes = roundTrip(first, old);
        byte[] youngBytes = roundTrip(second, young);
        same(first, old, second, second.fromBytes(oldBytes), oldBytes);
        same(second, young, first, first.fromBytes(youngBytes), youngBytes);
        // Compared as text: a removed field of a class no longer knows the constants of its enum.
        assertThat(Definitions.parse(second.schema().toString()))
                .hasToString(second.schema().toString());
        damage(first, youngBytes, random);
        damage(second, youngBytes, random);
    }

    private static byte[] roundTrip(Codec<Object> codec, Object value) {
        byte[] bytes = codec.toBytes(value);
        assertThat(codec.sizeOf(value)).isEqualTo(bytes.length);
        assertThat(bytes.length).isLessThanOrEqualTo(codec.maxLength());
        assertThat(codec.fromBytes(bytes)).isEqualTo(value);
        assertThat(codec.flyweight().wrap(MemorySegment.ofArray(bytes), 0, bytes.length))
                .matches(value::equals);
        byte[] dirty = new byte[bytes.length + 7];
        Arrays.fill(dirty, (byte) 0xaa);
        assertThat(codec.encode(value, MemorySegment.ofArray(dirty), 3, bytes.length))
                .isEqualTo(bytes.length);
        assertThat(Arrays.copyOfRange(dirty, 3, 3 + bytes.length)).isEqualTo(bytes);
        Json<Object> json = Json.of(codec);
        assertThat(json.read(json.write(value))).isEqualTo(value);
        return bytes;
    }

    /** What both versions have is the same; what the bytes do not have is what the schema says. */
    private static void same(Codec<Object> writer, Object written, Codec<Object> reader, Object read, byte[] bytes) {
        for (Property property : reader.schema().properties()) {
            int i = reader.schema().properties().indexOf(property);
            Object value = reader.values(read)[i];
            boolean isWritten = writer.definition().field(property.name()) != null;
            Object expected = isWritten
                    ? writer.values(written)[
                            writer.schema().properties().indexOf(writer.schema().property(property.name()))]
                    : property.field().since() > writer.schema().version() ? reader.defaultOf(property) : value;
            assertThat(value).isEqualTo(expected);
            Object view = reader.values(reader.flyweight().wrap(MemorySegment.ofArray(bytes), 0, bytes.length))[i];
            assertThat(view).isEqualTo(expected);
        }
    }

    private static void damage(Codec<Object> codec, byte[] bytes, Random random) {
        byte[] damaged = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
        for (int i = random.nextInt(4); i >= 0 && damaged.length > 8; i--) {
            damaged[8 + random.nextInt(damaged.length - 8)] =
                    (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(2) - 1);
        }
        try {
            codec.fromBytes(damaged);
        } catch (DecodeException e) {
            assertThat(e.offset()).isBetween(0L, (long) Integer.MAX_VALUE);
        }
        try {
            codec.values(codec.flyweight().wrap(MemorySegment.ofArray(damaged), 0, damaged.length));
        } catch (DecodeException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }
}
