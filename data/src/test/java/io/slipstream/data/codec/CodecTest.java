package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.EncodeException;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CodecTest {
    enum Side {
        BUY,
        SELL
    }

    record Leg(UUID id, @Scale(4) long ratio, String note) {}

    @Id(7)
    private record Order(
            long id,
            boolean isFirm,
            byte b,
            short s,
            char c,
            int i,
            float f,
            double d,
            @MaxLength(16) String symbol,
            Side side,
            @Scale(2) BigDecimal price,
            @Nullable Integer venue,
            @Nullable Boolean flag,
            Instant at,
            Duration ttl,
            LocalDate day,
            List<Leg> legs,
            List<String> tags,
            List<Side> sides,
            List<List<Integer>> nested,
            @Optional @Nullable Leg main,
            @Optional @Nullable Side other,
            @Optional @Nullable String text) {
        static Order sample() {
            return new Order(
                    1,
                    true,
                    (byte) 2,
                    (short) 3,
                    'ä',
                    5,
                    6.5f,
                    7.25,
                    "EURUSD",
                    Side.SELL,
                    new BigDecimal("12.30"),
                    9,
                    null,
                    Instant.parse("2026-11-23T05:00:00.123456789Z"),
                    Duration.ofNanos(-1),
                    LocalDate.of(2026, 11, 23),
                    List.of(new Leg(new UUID(1, 2), 15_000, "first"), new Leg(new UUID(3, 4), -1, "")),
                    List.of("a", "", "äöü\uD83D\uDE00"),
                    List.of(Side.BUY, Side.SELL),
                    List.of(List.of(1, 2), List.of()),
                    new Leg(new UUID(5, 6), 0, "main leg of more than eight"),
                    Side.BUY,
                    "");
        }
    }

    @Test
    void readsBackWhatItWrote() {
        Codec<Order> codec = Codec.of(Order.class);
        byte[] bytes = codec.toBytes(Order.sample());
        assertThat(codec.fromBytes(bytes)).isEqualTo(Order.sample());
    }

    @Test
    void readsBackWhatIsAbsent() {
        Codec<Order> codec = Codec.of(Order.class);
        Order o = Order.sample();
        Order bare = new Order(
                0,
                false,
                (byte) 0,
                (short) 0,
                '\0',
                0,
                0,
                0,
                "",
                Side.BUY,
                new BigDecimal("0.00"),
                null,
                null,
                o.at,
                o.ttl,
                o.day,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                null);
        assertThat(codec.fromBytes(codec.toBytes(bare))).isEqualTo(bare);
    }

    @Test
    void writesWhereItIsTold() {
        Codec<Leg> codec = Codec.of(Leg.class);
        Leg leg = new Leg(new UUID(1, 2), 3, "note");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(200).fill((byte) 0x55);
            int length = codec.encode(leg, memory, 33, codec.sizeOf(leg));
            assertThat(length).isEqualTo(8 + 16 + 8 + 4 + 4 + 4).isEqualTo(codec.sizeOf(leg));
            assertThat(codec.decode(memory, 33, length)).isEqualTo(leg);
            assertThat(memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 33 + length))
                    .isEqualTo((byte) 0x55);
        }
    }

    sealed interface Command {}

    @Id(1)
    record Place(long id, Command then) implements Command {}

    @Id(2)
    record Cancel(long id) implements Command {}

    @Test
    void readsBackEachRecordOfASealedInterface() {
        Codec<Command> codec = Codec.of(Command.class);
        Command command = new Place(1, new Place(2, new Cancel(3)));
        assertThat(codec.fromBytes(codec.toBytes(command))).isEqualTo(command);
        assertThat(codec.fromBytes(codec.toBytes(new Cancel(4)))).isEqualTo(new Cancel(4));
    }

    static class Thing {
        private long number;
        private boolean flag;

        @Length(10)
        private double[] doubles = new double[10];

        private long[] longs = new long[0];
        private String text = "";
    }

    @Test
    void readsIntoAnObjectAndReusesItsArrays() {
        Codec<Thing> codec = Codec.of(Thing.class);
        Thing thing = new Thing();
        thing.number = 5;
        thing.flag = true;
        Arrays.fill(thing.doubles, 1.5);
        thing.longs = new long[] {1, 2, 3};
        thing.text = "text";
        byte[] bytes = codec.toBytes(thing);
        Thing into = new Thing();
        double[] doubles = into.doubles;
        long[] longs = new long[3];
        into.longs = longs;
        codec.decodeInto(into, MemorySegment.ofArray(bytes), 0, bytes.length);
        assertThat(into).usingRecursiveComparison().isEqualTo(thing);
        assertThat(into.doubles).isSameAs(doubles);
        assertThat(into.longs).isSameAs(longs);
        assertThat(codec.fromBytes(bytes)).usingRecursiveComparison().isEqualTo(thing);
    }

    interface Quote {
        long bid();

        void bid(long bid);

        long ask();

        Quote ask(long ask);

        @Optional
        @Nullable
        Side side();

        void side(@Nullable Side side);

        String venue();

        void venue(String venue);
    }

    @Test
    void aFlyweightReadsAndWritesFieldsInPlace() {
        Codec<Quote> codec = Codec.of(Quote.class);
        Flyweight<Quote> flyweight = codec.flyweight();
        MemorySegment memory = MemorySegment.ofArray(new byte[100]);
        Quote quote = flyweight.begin(memory, 10, 90);
        quote.bid(5);
        quote.ask(6).side(Side.SELL);
        quote.venue("XETRA");
        int length = flyweight.length();
        Quote read = codec.flyweight().wrap(memory, 10, length);
        assertThat(read.bid()).isEqualTo(5);
        assertThat(read.ask()).isEqualTo(6);
        assertThat(read.side()).isEqualTo(Side.SELL);
        assertThat(read.venue()).isEqualTo("XETRA");
        assertThat(read).hasToString("Quote[ask=6, bid=5, side=SELL, venue=XETRA]");
        assertThat(codec.flyweight()
                        .wrap(memory.asSlice(0, length + 9), 10, length - 1)
                        .toString())
                .startsWith("Quote[Quote.venue at byte");
        quote.ask(7);
        quote.side(null);
        assertThat(read.ask()).isEqualTo(7);
        assertThat(read.side()).isNull();
        Quote copy = codec.decode(memory, 10, length);
        assertThat(copy).isEqualTo(read).hasToString("Quote[ask=7, bid=5, side=null, venue=XETRA]");
        assertThat(codec.toBytes(copy))
                .isEqualTo(
                        Arrays.copyOfRange(memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), 10, 10 + length));
    }

    record Tree(String name, List<Tree> children) {}

    @Test
    void readsBackRecordsOfThemselves() {
        Codec<Tree> codec = Codec.of(Tree.class);
        Tree tree =
                new Tree("root", List.of(new Tree("a", List.of(new Tree("b", List.of()))), new Tree("c", List.of())));
        assertThat(codec.fromBytes(codec.toBytes(tree))).isEqualTo(tree);
    }

    @Test
    void refusesWhatDoesNotFitByNameOfTheField() {
        Codec<Order> codec = Codec.of(Order.class);
        Order o = Order.sample();
        Order longSymbol = new Order(
                1,
                true,
                (byte) 2,
                (short) 3,
                'x',
                5,
                6,
                7,
                "a symbol that is too long",
                Side.BUY,
                o.price,
                null,
                null,
                o.at,
                o.ttl,
                o.day,
                o.legs,
                o.tags,
                o.sides,
                o.nested,
                null,
                null,
                null);
        assertThatThrownBy(() -> codec.toBytes(longSymbol))
                .isInstanceOf(EncodeException.class)
                .hasMessage("Order.symbol: has 25 bytes, more than its limit of 16");
        Order fraction = new Order(
                1,
                true,
                (byte) 2,
                (short) 3,
                'x',
                5,
                6,
                7,
                "",
                Side.BUY,
                new BigDecimal("1.234"),
                null,
                null,
                o.at,
                o.ttl,
                o.day,
                o.legs,
                o.tags,
                o.sides,
                o.nested,
                null,
                null,
                null);
        assertThatThrownBy(() -> codec.toBytes(fraction))
                .hasMessage("Order.price: 1.234 cannot be written with 2 decimal places and a mantissa of 63 bits");
        assertThatThrownBy(() -> codec.encode(o, MemorySegment.ofArray(new byte[300]), 0))
                .isInstanceOf(EncodeException.class)
                .hasMessageContaining("there is room for 300");
        assertThatThrownBy(() -> Codec.of(Leg.class).toBytes(new Leg(new UUID(1, 2), 1, "\uD800")))
                .hasMessageContaining("Leg.note: has half a surrogate pair");
    }

    @Test
    void refusesAnotherType() {
        byte[] bytes = Codec.of(Leg.class).toBytes(new Leg(new UUID(1, 2), 3, "note"));
        assertThatThrownBy(() -> Codec.of(Order.class).fromBytes(bytes)).hasMessageContaining("not 7");
    }
}
