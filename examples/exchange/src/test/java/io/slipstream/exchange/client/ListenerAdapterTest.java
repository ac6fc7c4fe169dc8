package io.slipstream.exchange.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
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
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ListenerAdapterTest {
    private final RecordingListener listener = new RecordingListener();
    private final ReplyHandler adapter = new ListenerAdapter(listener);
    private final MemorySegment memory = MemorySegment.ofArray(new long[16]);

    @Test
    void tellsRepliesTradesAndUpdates() throws Exception {
        CommandReply.encode(memory, 8, OrderStatus.RESTING, Rejection.NONE, 3, 42, 5, 6);
        adapter.onReply(7, 1, memory, 8, CommandReply.BYTES);
        assertThat(listener.next()).isEqualTo("reply 7: RESTING NONE 3:42 filled 5 remaining 6");
        TradeEvent.encode(memory, 8, Role.MAKER, Side.SELL, 3, 42, 9, 100, 5, 1);
        adapter.onEvent(1, memory, 8, TradeEvent.BYTES);
        assertThat(listener.next()).isEqualTo("MAKER SELL 3:42 trade 9, 5 at 100, left 1");
        UpdateEvent.encode(memory, 8, OrderChange.REDUCED, Side.BUY, 3, 42, 100, 1);
        adapter.onEvent(1, memory, 8, UpdateEvent.BYTES);
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
        CommandReply.encode(memory, 0, OrderStatus.RESTING, Rejection.NONE, 3, 42, 5, 6);
        adapter.onReply(8, 1, memory, 0, CommandReply.BYTES - 1);
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
        TradeEvent.encode(memory, 0, Role.MAKER, Side.SELL, 3, 42, 9, 100, 5, 1);
        adapter.onEvent(1, memory, 0, TradeEvent.BYTES - 1);
        UpdateEvent.encode(memory, 0, OrderChange.REDUCED, Side.BUY, 3, 42, 100, 1);
        adapter.onEvent(1, memory, 0, UpdateEvent.BYTES - 1);
        assertThat(listener.isEmpty()).isTrue();
    }

    @Test
    void allocatesNothing() {
        long[] told = new long[3];
        ReplyHandler counting = new ListenerAdapter(new ExchangeListener() {
            @Override
            public void onReply(long attachment, long sequence, OrderStatus status, Rejection rejection, int instrument,
                                long orderId, long filled, long remaining) {
                told[0]++;
            }

            @Override
            public void onTrade(long sequence, int instrument, long orderId, Role role, Side side, long tradeId,
                                long price, long quantity, long remaining) {
                told[1]++;
            }

            @Override
            public void onUpdate(long sequence, int instrument, long orderId, OrderChange change, Side side, long price,
                                 long remaining) {
                told[2]++;
            }
        });
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        tell(counting);
        long before = threads.getCurrentThreadAllocatedBytes();
        tell(counting);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4_096);
        assertThat(told).containsOnly(200_000);
    }

    private void tell(ReplyHandler handler) {
        for (int i = 0; i < 100_000; i++) {
            CommandReply.encode(memory, 0, OrderStatus.RESTING, Rejection.NONE, 3, 42, 5, 6);
            handler.onReply(i, i, memory, 0, CommandReply.BYTES);
            TradeEvent.encode(memory, 0, Role.MAKER, Side.SELL, 3, 42, 9, 100, 5, 1);
            handler.onEvent(i, memory, 0, TradeEvent.BYTES);
            UpdateEvent.encode(memory, 0, OrderChange.REDUCED, Side.BUY, 3, 42, 100, 1);
            handler.onEvent(i, memory, 0, UpdateEvent.BYTES);
        }
    }
}
