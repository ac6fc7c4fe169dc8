package io.slipstream.exchange.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.OrderChange;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.Role;
import io.slipstream.exchange.wire.TradeEvent;
import io.slipstream.exchange.wire.UpdateEvent;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ListenerAdapterTest {
    private static final int ROOM = 64;

    private final Flyweight<CommandReply> replies = CommandReply.CODEC.flyweight();
    private final Flyweight<TradeEvent> trades = TradeEvent.CODEC.flyweight();
    private final Flyweight<UpdateEvent> updates = UpdateEvent.CODEC.flyweight();
    private final RecordingListener listener = new RecordingListener();
    private final ReplyHandler adapter = new ListenerAdapter(listener);
    private final MemorySegment memory = MemorySegment.ofArray(new long[16]);

    @Test
    void tellsRepliesTradesAndUpdates() throws Exception {
        adapter.onReply(7, 1, memory, 8, reply(8));
        assertThat(listener.next()).isEqualTo("reply 7: RESTING NONE 3:42 filled 5 remaining 6");
        adapter.onEvent(1, memory, 8, trade(8));
        assertThat(listener.next()).isEqualTo("MAKER SELL 3:42 trade 9, 5 at 100, left 1");
        adapter.onEvent(1, memory, 8, update(8));
        assertThat(listener.next()).isEqualTo("REDUCED BUY 3:42 at 100, left 1");
    }

    @Test
    void passesOnWhatTheServiceSays() throws Exception {
        adapter.onFailure(7, new ServiceException(FailureCode.TOO_OLD, "old"));
        assertThat(listener.next()).isEqualTo("failure 7: TOO_OLD");
        adapter.onBusy(7, 1_000);
        assertThat(listener.next()).isEqualTo("busy 7: 1000");
        adapter.onMissedOutputs();
        assertThat(listener.next()).isEqualTo("missed");
    }

    @Test
    void saysThatAReplyCannotBeUnderstood() throws Exception {
        adapter.onReply(7, 1, memory, 0, 0);
        assertThat(listener.next()).isEqualTo("failure 7: MALFORMED");
        adapter.onReply(8, 1, memory, 0, reply(0) - 1);
        assertThat(listener.next()).isEqualTo("failure 8: MALFORMED");
    }

    @Test
    void skipsEventsThatItCannotUnderstand() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] bytes = new byte[64];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(bytes);
            adapter.onEvent(1, MemorySegment.ofArray(bytes), 0, random.nextInt(bytes.length));
        }
        adapter.onEvent(1, memory, 0, trade(0) - 1);
        adapter.onEvent(1, memory, 0, update(0) - 1);
        assertThat(listener.isEmpty()).isTrue();
    }

    @Test
    void allocatesNothing() throws Exception {
        long[] told = new long[3];
        ReplyHandler counting = new ListenerAdapter(new ExchangeListener() {
            @Override
            public void onReply(
                    long attachment,
                    long sequence,
                    OrderStatus status,
                    Rejection rejection,
                    int instrument,
                    long orderId,
                    long filled,
                    long remaining) {
                told[0]++;
            }

            @Override
            public void onTrade(
                    long sequence,
                    int instrument,
                    long orderId,
                    Role role,
                    Side side,
                    long tradeId,
                    long price,
                    long quantity,
                    long remaining) {
                told[1]++;
            }

            @Override
            public void onUpdate(
                    long sequence,
                    int instrument,
                    long orderId,
                    OrderChange change,
                    Side side,
                    long price,
                    long remaining) {
                told[2]++;
            }
        });
        Allocations.none(() -> {
            Arrays.fill(told, 0);
            tell(counting);
        });
        assertThat(told).containsOnly(100_000);
    }

    private void tell(ReplyHandler handler) {
        for (int i = 0; i < 100_000; i++) {
            handler.onReply(i, i, memory, 0, reply(0));
            handler.onEvent(i, memory, 0, trade(0));
            handler.onEvent(i, memory, 0, update(0));
        }
    }

    private int reply(int at) {
        replies.begin(memory, at, ROOM)
                .status(OrderStatus.RESTING)
                .rejection(Rejection.NONE)
                .instrument(3)
                .orderId(42)
                .filled(5)
                .remaining(6);
        return replies.length();
    }

    private int trade(int at) {
        trades.begin(memory, at, ROOM)
                .role(Role.MAKER)
                .side(Side.SELL)
                .instrument(3)
                .orderId(42)
                .tradeId(9)
                .price(100)
                .quantity(5)
                .remaining(1);
        return trades.length();
    }

    private int update(int at) {
        updates.begin(memory, at, ROOM)
                .change(OrderChange.REDUCED)
                .side(Side.BUY)
                .instrument(3)
                .orderId(42)
                .price(100)
                .remaining(1);
        return updates.length();
    }
}
