package io.slipstream.core.queue;

import io.slipstream.core.memory.PaddedLong;
import org.jspecify.annotations.Nullable;

/**
 * All that one side needs for a call, reached by one reference: its index, alone on its cache lines, and behind
 * that what it reads beside.
 */
abstract class OneToOneEnd extends PaddedLong {
    private static final int LONGEST_LOOK_AHEAD = 4096;

    final @Nullable Object[] slots;
    final int lookAhead;
    /**
     * Below this index the producer knows every slot to be free; it changes once in so many elements as it looks
     * ahead.
     */
    long limit;

    OneToOneEnd(@Nullable Object[] slots) {
        super(0);
        this.slots = slots;
        this.lookAhead = Math.clamp(slots.length / 4, 1, LONGEST_LOOK_AHEAD);
    }
}
