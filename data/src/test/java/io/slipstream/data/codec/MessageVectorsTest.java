package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.json.Json;
import io.slipstream.data.schema.Definitions;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages that were computed from {@code docs/data-format.md} alone, for readers in any language. */
class MessageVectorsTest {
    private static final HexFormat HEX = HexFormat.of();

    enum Side {
        BUY,
        SELL
    }

    @Id(21)
    record Message(
            boolean flag,
            char letter,
            Side side,
            @Scale(2) BigDecimal price,
            @Nullable Integer venue,
            Instant at,
            Duration took,
            LocalDate day,
            UUID key,
            @Length(2) double[] pair,
            String text,
            @Optional @Nullable String note,
            byte[] data,
            int[] numbers,
            List<Side> sides,
            List<String> words,
            List<Leg> legs,
            Shape shape,
            @Optional @Nullable Leg leg,
            @Since(2) @Nullable Boolean sure,
            @Since(2) @Default("none") String added) {}

    @Id(22)
    record Leg(int ratio, String name) {}

    @Id(25)
    sealed interface Shape permits Circle, Square {}

    @Id(23)
    record Circle(double radius) implements Shape {}

    @Id(24)
    record Square(float side) implements Shape {}

    private final Codec<Message> codec = Codec.of(Message.class, MethodHandles.lookup());
    private final Json<Message> json = Json.of(codec);

    private static String file() throws IOException {
        try (var in = Objects.requireNonNull(
                MessageVectorsTest.class.getResourceAsStream("/io/slipstream/data/messages.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String[]> vectors(String kind) throws IOException {
        List<String[]> found = file().lines()
                .filter(line -> line.startsWith("# " + kind + " "))
                .map(line -> line.split(" ", 6))
                .toList();
        assertThat(found).isNotEmpty();
        return found;
    }

    @Test
    void theSchemaIsThatOfTheFile() throws IOException {
        assertThat(codec.schema().definitions()).isEqualTo(Definitions.parse(file()));
    }

    @Test
    void writesAndReadsWhatTheFileSays() throws IOException {
        for (String line : file().lines().filter(l -> l.startsWith("# write ")).toList()) {
            String[] vector = line.split(" ", 4);
            Message value = json.read(vector[3]);
            assertThat(HEX.formatHex(codec.toBytes(value))).isEqualTo(vector[2]);
            assertThat(json.write(codec.fromBytes(HEX.parseHex(vector[2])))).isEqualTo(json.write(value));
        }
    }

    @Test
    void readsWhatOthersMayWrite() throws IOException {
        for (String[] vector : vectors("read")) {
            assertThat(HEX.formatHex(codec.toBytes(codec.fromBytes(HEX.parseHex(vector[2])))))
                    .as(vector[5])
                    .isEqualTo(vector[4]);
        }
    }

    @Test
    void refusesWhatIsNoMessage() throws IOException {
        for (String[] vector : vectors("refuse")) {
            assertThatThrownBy(() -> codec.fromBytes(HEX.parseHex(vector[2])))
                    .as(String.join(" ", vector))
                    .isInstanceOf(DecodeException.class);
        }
    }
}
