package io.slipstream.data.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bytes of {@code docs/data-format.md}: what a version has written, every later one reads. */
class GoldenBytesTest {
    enum Side {
        BUY,
        SELL
    }

    @Id(7)
    record Order(
            long id,
            @MaxLength(16) String symbol,
            Side side,
            @Scale(2) BigDecimal price,
            @Nullable Integer venue,
            List<Leg> legs,
            @Since(2) @Optional @Nullable String note) {}

    @Id(8)
    record Leg(int ratio, String name) {}

    private static final Order SECOND = new Order(
            1, "EURUSD", Side.SELL, new BigDecimal("1.25"), 5, List.of(new Leg(1, "EUR"), new Leg(-1, "")), "hi");
    private static final Order FIRST = new Order(
            1, "EURUSD", Side.SELL, new BigDecimal("1.25"), 5, List.of(new Leg(1, "EUR"), new Leg(-1, "")), null);

    private static String golden(String name) throws IOException {
        try (var in =
                Objects.requireNonNull(GoldenBytesTest.class.getResourceAsStream("/io/slipstream/data/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] bytes(String dump) {
        StringBuilder hex = new StringBuilder();
        dump.lines()
                .forEach(line -> hex.append(line.substring(10).split("  ")[0].replace(" ", "")));
        return HexFormat.of().parseHex(hex);
    }

    private static String dump(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        DumpText lines = new DumpText(memory, 0, text::append);
        new Dump(Schema.of(Order.class).definitions(), lines).value(memory, 0, bytes.length);
        lines.end();
        return text.toString();
    }

    @Test
    void writesTheBytesOfTheDocument() throws IOException {
        assertThat(dump(Codec.of(Order.class).toBytes(SECOND))).isEqualTo(golden("order-2.txt"));
    }

    @Test
    void readsTheBytesOfBothVersions() throws IOException {
        assertThat(Codec.of(Order.class).fromBytes(bytes(golden("order-1.txt"))))
                .isEqualTo(FIRST);
        assertThat(Codec.of(Order.class).fromBytes(bytes(golden("order-2.txt"))))
                .isEqualTo(SECOND);
    }

    @Test
    void aDumpOfDamagedBytesEndsWithFieldAndOffset() {
        byte[] whole = Codec.of(Order.class).toBytes(SECOND);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = random.nextBoolean() ? whole.clone() : Arrays.copyOf(whole, random.nextInt(whole.length));
            for (int j = 0; j < 2 && damaged.length > 0; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                dump(damaged);
            } catch (DecodeException e) {
                assertThat(e.field()).isNotEmpty();
            }
        }
        assertThatThrownBy(() -> dump(Arrays.copyOf(whole, 50))).isInstanceOf(DecodeException.class);
    }

    @Id(9)
    record Moment(Instant at) {}

    @Test
    void aDumpRefusesNanosecondsThatTheCodecRefuses() {
        byte[] bytes = Codec.of(Moment.class).toBytes(new Moment(Instant.EPOCH));
        bytes[bytes.length - 1] = -1;
        assertThatThrownBy(() -> Codec.of(Moment.class).fromBytes(bytes)).isInstanceOf(DecodeException.class);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Dump dump = new Dump(Schema.of(Moment.class).definitions(), _ -> {});
        assertThatThrownBy(() -> dump.value(memory, 0, bytes.length))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("nanoseconds");
    }
}
