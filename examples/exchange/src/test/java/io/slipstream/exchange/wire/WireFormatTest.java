package io.slipstream.exchange.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
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

    private final byte[] bytes = new byte[OFFSET + DepthAnswer.MAX_BYTES + 1];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);

    WireFormatTest() {
        Arrays.fill(bytes, (byte) 0xEE);
    }

    @Test
    void placesAnOrder() {
        PlaceCommand.encode(memory, OFFSET, INSTRUMENT, A, Side.SELL, OrderType.POST_ONLY, B, C);
        assertLayout("0100" + "02" + "05" + "01020304" + A_HEX + B_HEX + C_HEX, PlaceCommand.BYTES);
        assertThat(PlaceCommand.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(PlaceCommand.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(PlaceCommand.side(memory, OFFSET)).isEqualTo(Side.SELL);
        assertThat(PlaceCommand.type(memory, OFFSET)).isEqualTo(OrderType.POST_ONLY);
        assertThat(PlaceCommand.price(memory, OFFSET)).isEqualTo(B);
        assertThat(PlaceCommand.quantity(memory, OFFSET)).isEqualTo(C);
        assertThat(PlaceCommand.check(memory, OFFSET, PlaceCommand.BYTES)).isEqualTo(Rejection.NONE);
    }

    @Test
    void cancelsAnOrder() {
        CancelCommand.encode(memory, OFFSET, INSTRUMENT, A);
        assertLayout("0200" + "0000" + "01020304" + A_HEX, CancelCommand.BYTES);
        assertThat(CancelCommand.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(CancelCommand.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(CancelCommand.check(CancelCommand.BYTES)).isEqualTo(Rejection.NONE);
    }

    @Test
    void replacesAnOrder() {
        ReplaceCommand.encode(memory, OFFSET, INSTRUMENT, A, B, C);
        assertLayout("0300" + "0000" + "01020304" + A_HEX + B_HEX + C_HEX, ReplaceCommand.BYTES);
        assertThat(ReplaceCommand.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(ReplaceCommand.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(ReplaceCommand.price(memory, OFFSET)).isEqualTo(B);
        assertThat(ReplaceCommand.quantity(memory, OFFSET)).isEqualTo(C);
        assertThat(ReplaceCommand.check(ReplaceCommand.BYTES)).isEqualTo(Rejection.NONE);
    }

    @Test
    void repliesToACommand() {
        CommandReply.encode(memory, OFFSET, OrderStatus.REJECTED, Rejection.BOOK_FULL, INSTRUMENT, A, B, C);
        assertLayout("1000" + "04" + "0a" + "01020304" + A_HEX + B_HEX + C_HEX, CommandReply.BYTES);
        assertThat(CommandReply.status(memory, OFFSET)).isEqualTo(OrderStatus.REJECTED);
        assertThat(CommandReply.rejection(memory, OFFSET)).isEqualTo(Rejection.BOOK_FULL);
        assertThat(CommandReply.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(CommandReply.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(CommandReply.filled(memory, OFFSET)).isEqualTo(B);
        assertThat(CommandReply.remaining(memory, OFFSET)).isEqualTo(C);
    }

    @Test
    void tellsATrade() {
        TradeEvent.encode(memory, OFFSET, Role.TAKER, Side.BUY, INSTRUMENT, A, B, C, D, A);
        assertLayout("2000" + "02" + "01" + "01020304" + A_HEX + B_HEX + C_HEX + D_HEX + A_HEX, TradeEvent.BYTES);
        assertThat(TradeEvent.role(memory, OFFSET)).isEqualTo(Role.TAKER);
        assertThat(TradeEvent.side(memory, OFFSET)).isEqualTo(Side.BUY);
        assertThat(TradeEvent.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(TradeEvent.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(TradeEvent.tradeId(memory, OFFSET)).isEqualTo(B);
        assertThat(TradeEvent.price(memory, OFFSET)).isEqualTo(C);
        assertThat(TradeEvent.quantity(memory, OFFSET)).isEqualTo(D);
        assertThat(TradeEvent.remaining(memory, OFFSET)).isEqualTo(A);
    }

    @Test
    void tellsAChangeOfAnOrder() {
        UpdateEvent.encode(memory, OFFSET, OrderChange.CANCELLED, Side.SELL, INSTRUMENT, A, B, C);
        assertLayout("2100" + "03" + "02" + "01020304" + A_HEX + B_HEX + C_HEX, UpdateEvent.BYTES);
        assertThat(UpdateEvent.change(memory, OFFSET)).isEqualTo(OrderChange.CANCELLED);
        assertThat(UpdateEvent.side(memory, OFFSET)).isEqualTo(Side.SELL);
        assertThat(UpdateEvent.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(UpdateEvent.orderId(memory, OFFSET)).isEqualTo(A);
        assertThat(UpdateEvent.price(memory, OFFSET)).isEqualTo(B);
        assertThat(UpdateEvent.remaining(memory, OFFSET)).isEqualTo(C);
    }

    @Test
    void asksForTheTopOfABook() {
        TopOfBookQuery.encode(memory, OFFSET, INSTRUMENT);
        assertLayout("4000" + "0000" + "01020304", TopOfBookQuery.BYTES);
        assertThat(TopOfBookQuery.instrument(memory, OFFSET)).isEqualTo(INSTRUMENT);
        assertThat(TopOfBookQuery.check(TopOfBookQuery.BYTES)).isEqualTo(Rejection.NONE);
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
        assertLayout("5100" + "0000" + "01020304" + "01000000" + "02000000" + A_HEX + B_HEX + "0700000000000000"
                + C_HEX + D_HEX + "0800000000000000" + B_HEX + A_HEX + "0900000000000000", DepthAnswer.bytes(3));
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
