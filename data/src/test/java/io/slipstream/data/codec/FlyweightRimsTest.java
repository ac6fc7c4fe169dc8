package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A flyweight touches no byte before or behind its message: canaries lie there. */
class FlyweightRimsTest {
    private static final int AT = 64;
    private static final byte CANARY = 0x5a;

    enum Side {
        BUY,
        SELL
    }

    record Leg(long id) {}

    @Id(9)
    @Name("Rims")
    interface Old {
        long a();

        void a(long value);
    }

    @Id(9)
    @Name("Rims")
    interface Rims {
        long a();

        void a(long value);

        @Since(2)
        boolean bool();

        void bool(boolean value);

        @Since(2)
        byte byteValue();

        void byteValue(byte value);

        @Since(2)
        short shortValue();

        void shortValue(short value);

        @Since(2)
        char charValue();

        void charValue(char value);

        @Since(2)
        int intValue();

        void intValue(int value);

        @Since(2)
        long longValue();

        void longValue(long value);

        @Since(2)
        float floatValue();

        void floatValue(float value);

        @Since(2)
        double doubleValue();

        void doubleValue(double value);

        @Since(2)
        @Nullable
        Integer box();

        void box(@Nullable Integer value);

        @Since(2)
        @Optional
        @Nullable
        Side side();

        void side(@Nullable Side value);

        @Since(2)
        @Scale(2)
        @Optional
        @Nullable
        BigDecimal decimal();

        void decimal(@Nullable BigDecimal value);

        @Since(2)
        @Scale(4)
        long mantissa();

        void mantissa(long value);

        @Since(2)
        @Optional
        @Nullable
        Instant instant();

        void instant(@Nullable Instant value);

        @Since(2)
        @Optional
        @Nullable
        Duration duration();

        void duration(@Nullable Duration value);

        @Since(2)
        @Optional
        @Nullable
        LocalDate date();

        void date(@Nullable LocalDate value);

        @Since(2)
        @Optional
        @Nullable
        UUID uuid();

        void uuid(@Nullable UUID value);

        @Since(2)
        @Length(3)
        long[] fixed();

        void fixed(long[] value);

        @Since(2)
        String text();

        void text(String value);

        @Since(2)
        int[] array();

        void array(int[] value);

        @Since(2)
        List<String> list();

        void list(List<String> value);

        @Since(2)
        List<Leg> legs();

        void legs(List<Leg> value);

        @Since(2)
        @Optional
        @Nullable
        Leg leg();

        void leg(@Nullable Leg value);
    }

    private static final Map<Class<?>, Object> VALUES = Map.ofEntries(
            Map.entry(boolean.class, true),
            Map.entry(byte.class, (byte) -1),
            Map.entry(short.class, (short) -1),
            Map.entry(char.class, '\uffff'),
            Map.entry(int.class, -1),
            Map.entry(long.class, -1L),
            Map.entry(float.class, -1f),
            Map.entry(double.class, -1d),
            Map.entry(Integer.class, -1),
            Map.entry(Side.class, Side.SELL),
            Map.entry(BigDecimal.class, new BigDecimal("-0.01")),
            Map.entry(Instant.class, Instant.ofEpochSecond(-1, 1)),
            Map.entry(Duration.class, Duration.ofSeconds(-1, 1)),
            Map.entry(LocalDate.class, LocalDate.ofEpochDay(-1)),
            Map.entry(UUID.class, new UUID(-1, -1)),
            Map.entry(long[].class, new long[] {-1, -1, -1}),
            Map.entry(String.class, "text"),
            Map.entry(int[].class, new int[] {-1, -1}),
            Map.entry(List.class, List.of()),
            Map.entry(Leg.class, new Leg(-1)));

    private final byte[] bytes = new byte[1024];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private final Flyweight<Rims> flyweight = Codec.of(Rims.class).flyweight();

    private static List<Method> setters() {
        return Stream.of(Rims.class.getDeclaredMethods())
                .filter(method -> method.getParameterCount() == 1)
                .toList();
    }

    private static void set(Rims rims, Method setter, @Nullable Object value) throws Throwable {
        try {
            setter.invoke(rims, value);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private int old() {
        Arrays.fill(bytes, CANARY);
        Flyweight<Old> old = Codec.of(Old.class).flyweight();
        old.begin(memory, AT, 500).a(7);
        return old.length();
    }

    @Test
    void refusesToSetInAnOlderMessageWhatALaterVersionAdded() {
        int length = old();
        byte[] before = bytes.clone();
        Rims rims = flyweight.wrap(memory, AT, length);
        assertThat(setters()).hasSize(23);
        for (Method setter : setters()) {
            if (setter.getName().equals("a")) {
                continue;
            }
            assertThatThrownBy(() -> set(rims, setter, VALUES.get(setter.getParameterTypes()[0])))
                    .as(setter.getName())
                    .isInstanceOf(EncodeException.class)
                    .hasMessageContaining("Rims." + setter.getName() + ": is there since version 2")
                    .hasMessageContaining("version 1");
            assertThat(bytes).as(setter.getName()).isEqualTo(before);
        }
        rims.a(8);
        assertThat(rims.a()).isEqualTo(8);
        assertThat(rims.longValue()).isZero();
        assertThat(bytes).startsWith(Arrays.copyOf(before, AT));
        assertThat(Arrays.copyOfRange(bytes, AT + length, bytes.length))
                .isEqualTo(Arrays.copyOfRange(before, AT + length, before.length));
    }

    @Test
    void writesWithinItsMessageWhateverTheField() throws Throwable {
        Arrays.fill(bytes, CANARY);
        flyweight.begin(memory, AT, 500);
        int length = flyweight.length();
        byte[] before = bytes.clone();
        Rims rims = flyweight.wrap(memory, AT, length);
        List<String> parts = List.of("text", "array", "list", "legs", "leg");
        for (Method setter : setters()) {
            Object value = VALUES.get(setter.getParameterTypes()[0]);
            if (parts.contains(setter.getName())) {
                assertThatThrownBy(() -> set(rims, setter, value)).hasMessageContaining("has no fixed size");
            } else {
                set(rims, setter, value);
            }
        }
        for (int i = 0; i < bytes.length; i++) {
            if (i < AT || i >= AT + length) {
                assertThat(bytes[i]).as("byte %s", i).isEqualTo(before[i]);
            }
        }
    }

    @Test
    void aValueThatIsRefusedLeavesTheFieldAsItWas() {
        Arrays.fill(bytes, CANARY);
        flyweight.begin(memory, AT, 500);
        Rims rims = flyweight.wrap(memory, AT, flyweight.length());
        byte[] before = bytes.clone();
        assertThatThrownBy(() -> rims.decimal(new BigDecimal("0.001"))).isInstanceOf(EncodeException.class);
        assertThatThrownBy(() -> rims.date(LocalDate.MAX)).isInstanceOf(EncodeException.class);
        assertThatThrownBy(() -> rims.fixed(new long[4])).isInstanceOf(EncodeException.class);
        assertThat(bytes).isEqualTo(before);
        assertThat(rims.decimal()).isNull();
    }

    @Test
    void aPartThatHasNoRoomIsNotThere() {
        Arrays.fill(bytes, CANARY);
        int block = length(500);
        Arrays.fill(bytes, CANARY);
        Rims rims = flyweight.begin(memory, AT, block + 10);
        assertThatThrownBy(() -> rims.list(List.of("123456789"))).hasMessageContaining("Rims.list: does not fit");
        assertThat(flyweight.length()).isEqualTo(block);
        assertThat(Codec.of(Rims.class).decode(memory, AT, block).list()).isEmpty();
        rims.list(List.of());
        for (int i = AT + block + 10; i < bytes.length; i++) {
            assertThat(bytes[i]).as("byte %s", i).isEqualTo(CANARY);
        }
    }

    private int length(int room) {
        flyweight.begin(memory, AT, room);
        return flyweight.length();
    }

    @Test
    void aWrapThatIsRefusedLeavesItOnTheMessageBefore() {
        int length = old();
        Rims rims = flyweight.wrap(memory, AT, length);
        Flyweight<Rims> other = Codec.of(Rims.class).flyweight();
        other.begin(memory, 512, 500);
        assertThatThrownBy(() -> flyweight.wrap(memory, 512, other.length() - 1))
                .isInstanceOf(DecodeException.class);
        byte[] before = bytes.clone();
        assertThat(rims.longValue()).isZero();
        assertThatThrownBy(() -> rims.longValue(-1)).isInstanceOf(EncodeException.class);
        assertThat(bytes).isEqualTo(before);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, AT + length)).isEqualTo(CANARY);
    }
}
