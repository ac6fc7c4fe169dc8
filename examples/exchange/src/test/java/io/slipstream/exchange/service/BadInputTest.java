package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandWriter;
import io.slipstream.exchange.wire.DepthQuery;
import io.slipstream.exchange.wire.OrderQuery;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.TopOfBookQuery;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a command's bytes are, it gets one typed answer, and what is refused changes nothing. */
final class BadInputTest {
    private static final Set<Rejection> UNDECODABLE =
            EnumSet.range(Rejection.UNKNOWN_TYPE, Rejection.LEVELS_OUT_OF_RANGE);
    private static final int MAX_ORDERS = 20;
    private static final int SIDE_AT = 20;

    private final ExchangeStateMachine machine = new ExchangeStateMachine(2, MAX_ORDERS);
    private final Desk desk = new Desk(machine);
    private final SentOutputs sent = new SentOutputs();

    @BeforeEach
    void somebodyElseHasOrders() {
        desk.place(sent.clear(), 9, 1, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        desk.place(sent.clear(), 9, 1, 2, Side.BUY, OrderType.LIMIT, 90, 5);
    }

    @Test
    void namesAnUnknownInstrument() {
        for (int instrument : new int[] {0, 3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            desk.place(sent.clear(), 1, instrument, 1, Side.BUY, OrderType.LIMIT, 100, 5);
            assertRefused(Rejection.UNKNOWN_INSTRUMENT);
            desk.cancel(sent.clear(), 1, instrument, 1);
            assertRefused(Rejection.UNKNOWN_INSTRUMENT);
            desk.replace(sent.clear(), 1, instrument, 1, 100, 5);
            assertRefused(Rejection.UNKNOWN_INSTRUMENT);
        }
    }

    @Test
    void namesAQuantityOrPriceThatIsOutOfRange() {
        assertPlaceRefused(1, 100, 0, Rejection.NON_POSITIVE_QUANTITY);
        assertPlaceRefused(1, 100, -5, Rejection.NON_POSITIVE_QUANTITY);
        assertPlaceRefused(1, 100, OrderBook.MAX_QUANTITY + 1, Rejection.QUANTITY_TOO_LARGE);
        assertPlaceRefused(1, 0, 5, Rejection.NON_POSITIVE_PRICE);
        assertPlaceRefused(1, Long.MIN_VALUE, 5, Rejection.NON_POSITIVE_PRICE);
        assertPlaceRefused(1, OrderBook.MAX_PRICE + 1, 5, Rejection.PRICE_TOO_LARGE);
    }

    @Test
    void namesADuplicateAndAnUnknownOrder() {
        desk.place(sent.clear(), 9, 2, 1, Side.BUY, OrderType.LIMIT, 50, 5);
        assertRefused(Rejection.DUPLICATE_ORDER_ID);
        assertThat(sent.replyInWords()).isEqualTo("REJECTED DUPLICATE_ORDER_ID 2:1 filled 0 remaining 0");
        desk.cancel(sent.clear(), 1, 1, 1);
        assertRefused(Rejection.UNKNOWN_ORDER);
        desk.replace(sent.clear(), 1, 1, 1, 100, 5);
        assertRefused(Rejection.UNKNOWN_ORDER);
    }

    @Test
    void namesWhyAnOrderCannotBeTakenAsItIs() {
        desk.place(sent.clear(), 1, 1, 1, Side.BUY, OrderType.POST_ONLY, 100, 5);
        assertRefused(Rejection.POST_ONLY_WOULD_CROSS);
        desk.place(sent.clear(), 1, 1, 1, Side.BUY, OrderType.FILL_OR_KILL, 100, 6);
        assertRefused(Rejection.FILL_OR_KILL_NOT_FILLABLE);
        for (int id = 2; id < MAX_ORDERS; id++) {
            desk.place(sent.clear(), 1, 2, id, Side.BUY, OrderType.LIMIT, 10, 1);
            assertThat(sent.status()).isEqualTo(OrderStatus.RESTING);
        }
        desk.place(sent.clear(), 1, 2, 1, Side.BUY, OrderType.LIMIT, 10, 1);
        assertRefused(Rejection.BOOK_FULL);
    }

    @Test
    void namesACommandThatIsCut() {
        for (byte[] right : new byte[][] {aPlacement(), aCancellation(), aReplacement()}) {
            for (int length = 0; length <= 2 * right.length; length++) {
                desk.command(sent.clear(), 1, Arrays.copyOf(right, length));
                if (length < right.length) {
                    assertRefused(Rejection.MALFORMED);
                } else {
                    assertThat(UNDECODABLE).doesNotContain(sent.rejection());
                }
            }
        }
    }

    @Test
    void namesAQueryOfAnyWrongLength() {
        for (byte[] right : new byte[][] {aTopQuery(), aDepthQuery(5), anOrderQuery()}) {
            for (int length = 0; length <= 2 * right.length; length++) {
                desk.query(sent.clear(), 1, Arrays.copyOf(right, length));
                if (length != right.length) {
                    assertRefused(Rejection.MALFORMED);
                }
            }
        }
    }

    @Test
    void namesAnUnknownTypeOfCommandOrQuery() {
        byte[] command = aPlacement();
        byte[] query = aTopQuery();
        for (int type = 0; type <= 0xFFFF; type++) {
            command[0] = query[0] = (byte) type;
            command[1] = query[1] = (byte) (type >> 8);
            if (type < 1 || type > 3) {
                desk.command(sent.clear(), 1, command);
                assertThat(sent.rejection()).isEqualTo(Rejection.UNKNOWN_TYPE);
            }
            if (type < 64 || type > 67) {
                desk.query(sent.clear(), 1, query);
                assertThat(sent.rejection()).isEqualTo(Rejection.UNKNOWN_TYPE);
            }
        }
    }

    @Test
    void refusesAnUnknownSideOrType() {
        byte[] right = aPlacement();
        for (int at : new int[] {SIDE_AT, SIDE_AT + 1}) {
            byte[] command = right.clone();
            command[at] = 7;
            desk.command(sent.clear(), 1, command);
            assertRefused(Rejection.MALFORMED);
        }
    }

    @Test
    void namesANumberOfLevelsThatIsOutOfRange() {
        for (int levels : new int[] {0, -1, DepthQuery.MAX_LEVELS + 1, Short.MAX_VALUE}) {
            desk.query(sent.clear(), 1, aDepthQuery(levels));
            assertRefused(Rejection.LEVELS_OUT_OF_RANGE);
        }
        desk.query(sent.clear(), 1, aDepthQuery(DepthQuery.MAX_LEVELS));
        assertThat(sent.answer().byteSize()).isEqualTo(16 + 2 * 24);
    }

    @Test
    void answersAMillionHostilePayloadsAndChangesNothingWhenItRefuses() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        byte[][] right = {aPlacement(), aCancellation(), aReplacement(), aTopQuery(), aDepthQuery(5), anOrderQuery()};
        Set<Rejection> seen = EnumSet.noneOf(Rejection.class);
        long hash = machine.stateHash();
        for (int i = 0; i < 1_000_000; i++) {
            byte[] payload = hostile(random, right);
            try {
                if (i % 8 == 0) {
                    desk.query(sent.clear(), random.nextInt(4), payload);
                    assertThat(sent.answer().byteSize()).isNotZero();
                    assertUnchanged(hash);
                } else {
                    desk.command(sent.clear(), random.nextInt(4), payload);
                    seen.add(sent.rejection());
                    if (sent.rejection() == Rejection.NONE) {
                        hash = machine.stateHash();
                    } else {
                        assertUnchanged(hash);
                    }
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ", payload " + i + ": " + Arrays.toString(payload), e);
            }
        }
        assertThat(seen).as("seed " + seed).contains(Rejection.NONE, Rejection.UNKNOWN_TYPE, Rejection.MALFORMED);
    }

    private void assertUnchanged(long hash) {
        if (machine.stateHash() != hash) {
            throw new AssertionError("the state has changed");
        }
    }

    /** A right message with some bytes changed, cut or added; or random bytes. */
    private static byte[] hostile(SplittableRandom random, byte[][] right) {
        byte[] payload;
        if (random.nextInt(8) == 0) {
            payload = new byte[random.nextInt(64)];
            random.nextBytes(payload);
            return payload;
        }
        byte[] original = right[random.nextInt(right.length)];
        int length = random.nextInt(4) == 0 ? random.nextInt(2 * original.length) : original.length;
        payload = Arrays.copyOf(original, length);
        for (int changes = random.nextInt(4); changes > 0 && length > 0; changes--) {
            payload[random.nextInt(length)] = (byte) (random.nextBoolean() ? random.nextInt(4) : random.nextInt(256));
        }
        return payload;
    }

    private void assertPlaceRefused(long orderId, long price, long quantity, Rejection rejection) {
        desk.place(sent.clear(), 1, 1, orderId, Side.BUY, OrderType.LIMIT, price, quantity);
        assertRefused(rejection);
    }

    private void assertRefused(Rejection rejection) {
        assertThat(sent.status()).isEqualTo(OrderStatus.REJECTED);
        assertThat(sent.rejection()).isEqualTo(rejection);
        assertThat(sent.events()).isEmpty();
    }

    private static byte[] aPlacement() {
        return new CommandWriter().place(1, 7, Side.BUY, OrderType.LIMIT, 95, 5).toBytes();
    }

    private static byte[] aCancellation() {
        return new CommandWriter().cancel(1, 7).toBytes();
    }

    private static byte[] aReplacement() {
        return new CommandWriter().replace(1, 7, 96, 6).toBytes();
    }

    private static byte[] aTopQuery() {
        byte[] payload = new byte[TopOfBookQuery.BYTES];
        TopOfBookQuery.encode(MemorySegment.ofArray(payload), 0, 1);
        return payload;
    }

    private static byte[] aDepthQuery(int levels) {
        byte[] payload = new byte[DepthQuery.BYTES];
        DepthQuery.encode(MemorySegment.ofArray(payload), 0, 1, levels);
        return payload;
    }

    private static byte[] anOrderQuery() {
        byte[] payload = new byte[OrderQuery.BYTES];
        OrderQuery.encode(MemorySegment.ofArray(payload), 0, 7);
        return payload;
    }
}
