package io.slipstream.benchmarks.codec;

import io.slipstream.benchmarks.codec.sbe.MessageHeaderDecoder;
import io.slipstream.benchmarks.codec.sbe.MessageHeaderEncoder;
import io.slipstream.benchmarks.codec.sbe.SbeOrderDecoder;
import io.slipstream.benchmarks.codec.sbe.SbeOrderEncoder;
import io.slipstream.benchmarks.codec.sbe.SbeSide;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Orders by SBE. */
final class SbeOrders implements Way {
    private static final int SLOT = 64;

    private final Order[] orders = Ways.orders();
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(COUNT * SLOT));
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final SbeOrderEncoder encoder = new SbeOrderEncoder();
    private final SbeOrderDecoder decoder = new SbeOrderDecoder();

    @Override
    public int write(int i) {
        Order order = orders[i];
        encoder.wrapAndApplyHeader(memory, i * SLOT, headerEncoder)
                .id(order.id())
                .price(order.price())
                .quantity(order.quantity())
                .instrument(order.instrument())
                .side(order.side() == Side.BUY ? SbeSide.BUY : SbeSide.SELL)
                .time(order.time());
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    @Override
    public long read(int i) {
        decoder.wrapAndApplyHeader(memory, i * SLOT, headerDecoder);
        return Order.sum(
                decoder.id(),
                decoder.price(),
                decoder.quantity(),
                decoder.instrument(),
                decoder.side() == SbeSide.BUY ? 0 : 1,
                decoder.time());
    }

    @Override
    public long readPrice(int i) {
        return decoder.wrapAndApplyHeader(memory, i * SLOT, headerDecoder).price();
    }
}
