package io.slipstream.data.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Removed;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Schema;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ValueTextTest {
    record Leg(int ratio, String name) {}

    record Order(
            long id,
            @Scale(2) BigDecimal price,
            @Optional @Nullable String tag,
            String text,
            List<Leg> legs,
            List<String> names,
            int[] ticks,
            @Optional @Nullable Leg hedge,
            Leg main) {}

    private static final byte[] BYTES = Codec.of(Order.class)
            .toBytes(new Order(
                    5,
                    new BigDecimal("1.50"),
                    null,
                    "a\"b",
                    List.of(new Leg(1, "x"), new Leg(2, "")),
                    List.of("p", "q"),
                    new int[0],
                    null,
                    new Leg(3, "y")));

    private static String text(Definitions definitions, byte[] bytes) {
        return ValueText.of(definitions, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    @Test
    void showsAValueAsRecordsPrintThemselves() {
        assertThat(text(Schema.of(Order.class).definitions(), BYTES))
                .isEqualTo("Order[id=5, price=1.50, tag=null, text=\"a\\u0022b\", legs=[Leg[ratio=1, name=\"x\"], "
                        + "Leg[ratio=2, name=\"\"]], names=[\"p\", \"q\"], ticks=[], hedge=null, "
                        + "main=Leg[ratio=3, name=\"y\"]]");
    }

    @Name("Order")
    @Removed(name = "price", id = 2, type = "decimal(2)", in = 2)
    @Removed(name = "legs", id = 5, type = "list<record Leg>", in = 2)
    record Later(
            long id,
            @Optional @Nullable String tag,
            String text,
            List<String> names,
            int[] ticks,
            @Optional @Nullable Leg hedge,
            Leg main) {}

    @Test
    void leavesOutWhatWasRemoved() {
        assertThat(text(Schema.of(Later.class).definitions(), BYTES))
                .isEqualTo("Order[id=5, tag=null, text=\"a\\u0022b\", names=[\"p\", \"q\"], ticks=[], hedge=null, "
                        + "main=Leg[ratio=3, name=\"y\"]]");
    }

    @Test
    void refusesBytesThatAreMore() {
        assertThatThrownBy(() -> text(Schema.of(Order.class).definitions(), Arrays.copyOf(BYTES, BYTES.length + 1)))
                .isInstanceOf(DecodeException.class);
    }
}
