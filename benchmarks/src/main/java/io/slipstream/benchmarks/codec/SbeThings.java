package io.slipstream.benchmarks.codec;

import io.slipstream.benchmarks.codec.sbe.MessageHeaderDecoder;
import io.slipstream.benchmarks.codec.sbe.MessageHeaderEncoder;
import io.slipstream.benchmarks.codec.sbe.SbeThingDecoder;
import io.slipstream.benchmarks.codec.sbe.SbeThingEncoder;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Things by SBE, into an object that there is. */
final class SbeThings implements Way {
    private static final int SLOT = 192;

    private final MutableThing[] things = Ways.mutableThings();
    private final MutableThing read = new MutableThing();
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(COUNT * SLOT));
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final SbeThingEncoder encoder = new SbeThingEncoder();
    private final SbeThingDecoder decoder = new SbeThingDecoder();

    @Override
    public int write(int i) {
        MutableThing thing = things[i];
        encoder.wrapAndApplyHeader(memory, i * SLOT, headerEncoder)
                .number(thing.number)
                .flag((short) (thing.flag ? 1 : 0))
                .first(thing.first)
                .second(thing.second);
        for (int k = 0; k < Thing.ARRAY; k++) {
            encoder.doubles(k, thing.doubles[k]);
        }
        for (int k = 0; k < Thing.ARRAY; k++) {
            encoder.longs(k, thing.longs[k]);
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    @Override
    public long read(int i) {
        decoder.wrapAndApplyHeader(memory, i * SLOT, headerDecoder);
        read.number = decoder.number();
        read.flag = decoder.flag() != 0;
        read.first = decoder.first();
        read.second = decoder.second();
        for (int k = 0; k < Thing.ARRAY; k++) {
            read.doubles[k] = decoder.doubles(k);
        }
        for (int k = 0; k < Thing.ARRAY; k++) {
            read.longs[k] = decoder.longs(k);
        }
        return read.sum();
    }
}
