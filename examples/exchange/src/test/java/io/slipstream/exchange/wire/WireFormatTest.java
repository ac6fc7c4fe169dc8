package io.slipstream.exchange.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pins every layout byte by byte: a change here breaks clients and journals that exist. */
final class WireFormatTest {
    private static final int OFFSET = 3;
    private static final int INSTRUMENT = 0x0403_0201;
    private static final long A = 0x1817_1615_1413_1211L;
    private static final long B = 0x2827_2625_2423_2221L;
    private static final long C = 0x3837_3635_3433_3231L;
    private static final long D = 0x4847_4645_4443_4241L;
    private static final String A_HEX = "1112131415161718";
    private static final String B_HEX = "2122232425262728";
    private static final String C_HEX = "3132333435363738";
    private static final String D_HEX = "4142434445464748";

    private static final int ROOM = 64;
    private static final String ORDER_HEX = "01020304" + A_HEX;
    private static final Map<String, String> GOLDEN = Map.of(
            "PLACE", "010001001e0047a1" + ORDER_HEX + "0104" + B_HEX + C_HEX,
            "CANCEL", "020001000c00bf39" + ORDER_HEX,
            "REPLACE", "030001001c0083dd" + ORDER_HEX + B_HEX + C_HEX,
            "REPLY", "100001001e00ff74" + ORDER_HEX + "040a" + B_HEX + C_HEX,
            "TRADE", "200001002e00b252" + ORDER_HEX + "0100" + B_HEX + C_HEX + D_HEX + A_HEX,
            "UPDATE", "210001001e00ebd5" + ORDER_HEX + "0201" + B_HEX + C_HEX);

    private final Map<String, String> written = new TreeMap<>();
    private final byte[] bytes = new byte[OFFSET + DepthAnswer.MAX_BYTES + 1];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);

    WireFormatTest() {
        Arrays.fill(bytes, (byte) 0xEE);
    }

    @Test
    void commandsRepliesAndEventsHaveTheBytesOfTheDocument() {
        CommandWriter writer = new CommandWriter();
        wrote(
                "PLACE",
                writer.place(INSTRUMENT, A, Side.SELL, OrderType.POST_ONLY, B, C)
                        .toBytes());
        wrote("CANCEL", writer.cancel(INSTRUMENT, A).toBytes());
        wrote("REPLACE", writer.replace(INSTRUMENT, A, B, C).toBytes());
        Flyweight<CommandReply> reply = CommandReply.CODEC.flyweight();
        reply.begin(memory, 0, ROOM)
                .instrument(INSTRUMENT)
                .orderId(A)
                .status(OrderStatus.REJECTED)
                .rejection(Rejection.BOOK_FULL)
                .filled(B)
                .remaining(C);
        wrote("REPLY", Arrays.copyOf(bytes, reply.length()));
        Flyweight<TradeEvent> trade = TradeEvent.CODEC.flyweight();
        trade.begin(memory, 0, ROOM)
                .instrument(INSTRUMENT)
                .orderId(A)
                .role(Role.TAKER)
                .side(Side.BUY)
                .tradeId(B)
                .price(C)
                .quantity(D)
                .remaining(A);
        wrote("TRADE", Arrays.copyOf(bytes, trade.length()));
        Flyweight<UpdateEvent> update = UpdateEvent.CODEC.flyweight();
        update.begin(memory, 0, ROOM)
                .instrument(INSTRUMENT)
                .orderId(A)
                .change(OrderChange.CANCELLED)
                .side(Side.SELL)
                .price(B)
                .remaining(C);
        wrote("UPDATE", Arrays.copyOf(bytes, update.length()));
        assertThat(written).isEqualTo(GOLDEN);
    }

    private void wrote(String type, byte[] actual) {
        written.put(type, HexFormat.of().formatHex(actual));
    }

    @Test
    void asksForTheTopOfABook() {
        TopOfBookQuery.encode(memory, OFFSET, INSTRUMENT);
        assertLayout("4000" + "0000" + "01020304", TopOfBookQuery.BYTES);
        assertThat(TopOfBookQuery.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(TopOfBookQuery.check(TopOfBookQuery.BYTES)).isEqualTo(Rejection.NONE);
    }

    @Test
    void asksForTrades() {
        TradesQuery.encode(memory, OFFSET, INSTRUMENT, 5, A);
        assertLayout("4300" + "0500" + "01020304" + A_HEX, TradesQuery.BYTES);
        assertThat(TradesQuery.check(memory, OFFSET, TradesQuery.BYTES)).isEqualTo(Rejection.NONE);
        TradesQuery.encode(memory, OFFSET, INSTRUMENT, TradesQuery.MAX_TRADES + 1, A);
        assertThat(TradesQuery.check(memory, OFFSET, TradesQuery.BYTES)).isEqualTo(Rejection.MALFORMED);
    }

    @Test
    void answersWithTrades() {
        TradesAnswer.encodeHeader(memory, OFFSET, INSTRUMENT, 1);
        TradesAnswer.encodeTrade(memory, OFFSET, 0, A, B, C, Side.SELL);
        assertLayout(
                "5300" + "0000" + "01020304" + "01000000" + "00000000" + A_HEX + B_HEX + C_HEX + "0200000000000000",
                TradesAnswer.bytes(1));
        assertThat(TradesAnswer.taker(memory, OFFSET, 0)).isEqualTo(Side.SELL);
    }

    @Test
    void asksForTheDepthOfABook() {
        DepthQuery.encode(memory, OFFSET, INSTRUMENT, 99);
        assertLayout("4100" + "6300" + "01020304", DepthQuery.BYTES);
        assertThat(DepthQuery.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(DepthQuery.levels(memory, OFFSET)).isEqualTo(99);
        assertThat(DepthQuery.check(memory, OFFSET, DepthQuery.BYTES)).isEqualTo(Rejection.NONE);
    }

    @Test
    void asksForAnOrder() {
        OrderQuery.encode(memory, OFFSET, A);
        assertLayout("4200" + "0000" + "00000000" + A_HEX, OrderQuery.BYTES);
        assertThat(OrderQuery.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(OrderQuery.check(OrderQuery.BYTES)).isEqualTo(Rejection.NONE);
    }

    @Test
    void answersWithTheTopOfABook() {
        TopOfBookAnswer.encode(memory, OFFSET, INSTRUMENT, A, B, C, D);
        assertLayout("5000" + "0000" + "01020304" + A_HEX + B_HEX + C_HEX + D_HEX, TopOfBookAnswer.BYTES);
        assertThat(TopOfBookAnswer.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(TopOfBookAnswer.bidPrice(memory, OFFSET)).isEqualTo(A);
        assertThat(TopOfBookAnswer.bidQuantity(memory, OFFSET)).isEqualTo(B);
        assertThat(TopOfBookAnswer.askPrice(memory, OFFSET)).isEqualTo(C);
        assertThat(TopOfBookAnswer.askQuantity(memory, OFFSET)).isEqualTo(D);
    }

    @Test
    void answersWithTheDepthOfABook() {
        DepthAnswer.encodeHeader(memory, OFFSET, INSTRUMENT, 1, 2);
        DepthAnswer.encodeLevel(memory, OFFSET, 0, A, B, 7);
        DepthAnswer.encodeLevel(memory, OFFSET, 1, C, D, 8);
        DepthAnswer.encodeLevel(memory, OFFSET, 2, B, A, 9);
        assertLayout(
                "5100" + "0000" + "01020304" + "01000000" + "02000000" + A_HEX + B_HEX + "0700000000000000" + C_HEX
                        + D_HEX + "0800000000000000" + B_HEX + A_HEX + "0900000000000000",
                DepthAnswer.bytes(3));
        assertThat(DepthAnswer.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(DepthAnswer.bids(memory, OFFSET)).isEqualTo(1);
        assertThat(DepthAnswer.asks(memory, OFFSET)).isEqualTo(2);
        assertThat(DepthAnswer.price(memory, OFFSET, 1)).isEqualTo(C);
        assertThat(DepthAnswer.quantity(memory, OFFSET, 1)).isEqualTo(D);
        assertThat(DepthAnswer.orders(memory, OFFSET, 2)).isEqualTo(9);
    }

    @Test
    void answersWithAnOrder() {
        OrderAnswer.encode(memory, OFFSET, INSTRUMENT, A, Side.BUY, OrderType.LIMIT, B, C, D);
        assertLayout("5200" + "01" + "01" + "01020304" + A_HEX + B_HEX + C_HEX + D_HEX, OrderAnswer.BYTES);
        assertThat(OrderAnswer.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(OrderAnswer.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(OrderAnswer.side(memory, OFFSET)).isEqualTo(Side.BUY);
        assertThat(OrderAnswer.type(memory, OFFSET)).isEqualTo(OrderType.LIMIT);
        assertThat(OrderAnswer.price(memory, OFFSET)).isEqualTo(B);
        assertThat(OrderAnswer.quantity(memory, OFFSET)).isEqualTo(C);
        assertThat(OrderAnswer.remaining(memory, OFFSET)).isEqualTo(D);
    }

    @Test
    void answersThatThereIsNoOrder() {
        OrderAnswer.encodeNone(memory, OFFSET, A);
        assertLayout("5200" + "0000" + "00000000" + A_HEX + "00".repeat(24), OrderAnswer.BYTES);
        assertThat(OrderAnswer.side(memory, OFFSET)).isNull();
        assertThat(OrderAnswer.type(memory, OFFSET)).isNull();
    }

    private void assertLayout(String hex, int length) {
        assertThat(HexFormat.of().formatHex(bytes, OFFSET, OFFSET + length)).isEqualTo(hex);
        assertThat(bytes[OFFSET - 1]).as("the byte before").isEqualTo((byte) 0xEE);
        assertThat(bytes[OFFSET + length]).as("the byte behind").isEqualTo((byte) 0xEE);
    }
}
