package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.dump.Dump;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is wrong with a value of fixed size is told with the byte of the message where it begins. */
class DecodeOffsetTest {
    enum Side {
        BUY,
        SELL
    }

    record Leg(int ratio, Side side, Instant at) {}

    record Order(
            long id,
            Side side,
            @Nullable Duration took,
            Leg main,
            List<Leg> legs,
            List<Side> sides,
            List<Instant> times) {}

    interface Quote {
        long bid();

        Side side();

        void side(Side side);
    }

    private static final Codec<Order> ORDERS = Codec.of(Order.class);

    @Test
    void inARecordWithinItAndInItsLists() {
        Leg leg = new Leg(1, Side.SELL, Instant.EPOCH);
        byte[] bytes = ORDERS.toBytes(new Order(
                1,
                Side.BUY,
                Duration.ZERO,
                leg,
                List.of(leg, leg),
                List.of(Side.BUY, Side.SELL),
                List.of(Instant.EPOCH)));
        List<Dump.Line> values = new ArrayList<>();
        new Dump(ORDERS.schema().definitions(), line -> {
                    if (line.field().matches(".*\\.(side|took|at|sides\\[.*|times\\[.*)")) {
                        values.add(line);
                    }
                })
                .value(MemorySegment.ofArray(bytes), 0, bytes.length);
        assertThat(values).hasSize(11);
        for (Dump.Line line : values) {
            byte[] wrong = bytes.clone();
            // The highest byte of a constant or of nanoseconds.
            wrong[(int) line.offset() + line.bytes() - 1] = 0x7f;
            assertThatThrownBy(() -> ORDERS.fromBytes(wrong))
                    .isInstanceOfSatisfying(
                            DecodeException.class,
                            e -> assertThat(e.offset()).as("%s", line).isEqualTo(line.offset()));
        }
    }

    @Test
    void inAFlyweight() {
        Codec<Quote> codec = Codec.of(Quote.class);
        MemorySegment memory = MemorySegment.ofArray(new byte[100]);
        Flyweight<Quote> flyweight = codec.flyweight();
        Quote quote = flyweight.begin(memory, 50, 30);
        long slot = 8 + codec.schema().property("side").field().offset();
        memory.set(ValueLayout.JAVA_BYTE, 50 + slot, (byte) 9);
        assertThatThrownBy(quote::side)
                .isInstanceOfSatisfying(
                        DecodeException.class, e -> assertThat(e.offset()).isEqualTo(slot));
    }
}
