package io.slipstream.data.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {
    record Order(
            long id,
            @MaxLength(8) String symbol,
            @Scale(2) BigDecimal price,
            @Scale(4) long fee,
            @Nullable Integer venue,
            Instant at,
            byte[] raw,
            List<Leg> legs) {}

    record Leg(int ratio, Tree tree) {}

    record Tree(List<Tree> children) {}

    sealed interface Command {}

    record Place(long id) implements Command {}

    record Cancel(long id) implements Command {}

    private static final String SAMPLE = "{\"id\":1,\"symbol\":\"EUR\\n\",\"price\":12.30,\"fee\":0.0150,"
            + "\"at\":\"2026-11-23T00:00:00Z\",\"raw\":\"AQI=\",\"legs\":[{\"ratio\":2,\"tree\":{\"children\":[]}}]}";

    @Test
    void writesOneLineAndReadsItBack() {
        Json<Order> json = Json.of(Order.class);
        Order order = json.read(SAMPLE);
        assertThat(order.price()).isEqualTo(new BigDecimal("12.30"));
        assertThat(order.fee()).isEqualTo(150);
        assertThat(order.venue()).isNull();
        assertThat(order.raw()).containsExactly(1, 2);
        assertThat(json.write(order)).isEqualTo(SAMPLE);
    }

    @Test
    void namesTheRecordOfASealedInterface() {
        Json<Command> json = Json.of(Command.class);
        assertThat(json.write(new Cancel(3))).isEqualTo("{\"@type\":\"Cancel\",\"id\":3}");
        assertThat(json.read(" { \"@type\" : \"Place\" , \"id\" : 4 } ")).isEqualTo(new Place(4));
        assertThatThrownBy(() -> json.read("{\"@type\":\"java.lang.Runtime\"}"))
                .hasMessageContaining("is no record of Command");
        assertThatThrownBy(() -> json.read("{\"id\":3}")).hasMessageContaining("expected \"@type\" first");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`\"id\":1,` | `\"id\":1,\"id\":1,` | Order.id at byte 8: is there twice",
                "`\"id\":1,` | `\"other\":1,` | Order.other at byte 1: is no field of Order",
                "`\"id\":1,` | `` | Order.id at byte 1: is missing",
                "`\"id\":1,` | `\"id\":null,` | Order.id at byte 6: is null, but not optional",
                "`\"id\":1,` | `\"id\":9223372036854775808,` | Order.id at byte 6: 9223372036854775808 is no whole"
                        + " number",
                "`\"id\":1,` | `\"id\":1.5,` | Order.id at byte 6: 1.5 is no whole number",
                "`\"id\":1,` | `\"id\":01,` | expected ','",
                "`\"id\":1,` | `\"id\":\"1\",` | expected a digit, but found '\"'",
                "`12.30` | `12.305` | Order.price at byte 33: is no number with at most 2 decimal places",
                "`12.30` | `1e999999999` | Order.price at byte 33: is no number with at most 2",
                "`EUR` | `EUREUREUR` | Order.symbol at byte 17: is longer than its limit of 8 bytes",
                "`\"ratio\":2` | `\"ratio\":3000000000` | Leg.ratio",
                "`2026-11-23T` | `2026-13-23T` | Order.at at byte",
                "`AQI=` | `AQI*` | Order.raw at byte",
                "`]}}]}` | `]}}]}x` | expected the end of the text, but found 'x'",
                "`]}}]}` | `]}}]` | but the text ends",
            })
    void refusesWhatItDoesNotExpectByFieldAndPosition(String what, String by, String message) {
        assertThatThrownBy(() -> Json.of(Order.class).read(SAMPLE.replace(what, by)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(message);
    }

    record Trade(
            long id,
            @Since(2) @Default("7") @Nullable Integer venue,
            @Since(2) @Default("3") int lots) {}

    @Test
    void aNullIsNotTheDefault() {
        Json<Trade> json = Json.of(Trade.class);
        String text = json.write(new Trade(1, null, 2));
        assertThat(text).isEqualTo("{\"id\":1,\"venue\":null,\"lots\":2}");
        assertThat(json.read(text)).isEqualTo(new Trade(1, null, 2));
        assertThat(json.read("{\"id\":1}")).isEqualTo(new Trade(1, 7, 3));
    }

    record Text(String text, char c) {}

    @Test
    void refusesATextThatUtf8CannotWrite() {
        Json<Text> json = Json.of(Text.class);
        assertThatThrownBy(() -> json.read("{\"text\":\"\u00fc\ud800\",\"c\":\"x\"}"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("Text at byte 11: is half of a surrogate pair");
        assertThatThrownBy(() -> json.read("{\"text\":\"\\udc00\",\"c\":\"x\"}"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("Text.text at byte 8: has half a surrogate pair at character 0");
        assertThatThrownBy(() -> json.write(new Text("a\ud800", 'x')))
                .isInstanceOf(EncodeException.class)
                .hasMessageContaining("Text.text: has half a surrogate pair at character 1");
        Text pair = new Text("\ud83d\ude00", '\ud800');
        assertThat(json.read(json.write(pair))).isEqualTo(pair);
        assertThat(json.read("{\"text\":\"\\ud83d\\ude00\",\"c\":\"\\ud800\"}")).isEqualTo(pair);
    }

    @Test
    void refusesWhatIsTooDeepOrTooLong() {
        String deep = "{\"children\":[".repeat(1000);
        assertThatThrownBy(() -> Json.of(Tree.class).read(deep))
                .hasMessageContaining("is nested deeper than 64 levels");
        assertThatThrownBy(() -> Json.of(Order.class).withMaxBytes(100).read(SAMPLE))
                .hasMessageContaining("the limit of 100");
    }
}
