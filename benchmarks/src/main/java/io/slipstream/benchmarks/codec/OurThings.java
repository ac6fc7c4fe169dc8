package io.slipstream.benchmarks.codec;

import io.slipstream.data.codec.Codec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Things into an object that there is. */
final class OurThings implements Way {
    private static final int SLOT = 192;
    private static final Codec<MutableThing> THINGS = Codec.of(MutableThing.class);

    private final MutableThing[] things = Ways.mutableThings();
    private final MutableThing read = new MutableThing();
    private final MemorySegment memory = Arena.global().allocate((long) COUNT * SLOT, 64);

    @Override
    public int write(int i) {
        return THINGS.encode(things[i], memory, (long) i * SLOT, SLOT);
    }

    @Override
    public long read(int i) {
        return THINGS.decodeInto(read, memory, (long) i * SLOT, SLOT).sum();
    }
}
