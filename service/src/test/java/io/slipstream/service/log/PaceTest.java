package io.slipstream.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.Host;
import io.slipstream.service.pressure.CommandKinds;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much is logged ahead of the state machine, with a time that the test makes. */
class PaceTest {
    private static final long MILLIS = 1_000_000;
    private static final int FRAME = Frame.align(Message.HEADER_BYTES);
    private static final int COUNT = 100;

    private final Sequence processed = new Sequence(0);
    private final CommandTimes times = new CommandTimes(CommandKinds.ALIKE);
    private final Pace pace = new Pace(Host.system(), times, processed, 50 * MILLIS, 0);
    private final MemorySegment ring = MemorySegment.ofArray(new long[COUNT * FRAME / Long.BYTES]);

    @Test
    void logsOneOfAKindThatWasNeverMeasured() {
        arrive(10 * MILLIS);
        assertThat(look(10, 0)).isEqualTo(1);
        assertThat(look(11, 1)).isZero();
        processed.setRelease(1);
        times.record(place(), MILLIS);
        assertThat(look(12, 1)).as("half of the response time").isEqualTo(25);
    }

    @Test
    void refusesWhatHasWaitedForTooLongAndNothingElse() {
        times.record(place(), 20 * MILLIS);
        arrive(10 * MILLIS);
        assertThat(look(10, 0)).isEqualTo(1);
        processed.setRelease(1);
        assertThat(look(31, 1)).isEqualTo(1);
        processed.setRelease(2);
        assertThat(look(61, 2)).as("all the others, which are refused").isEqualTo(COUNT - 2);
        assertThat(IntStream.range(0, COUNT).filter(this::isLate).boxed())
                .containsExactlyElementsOf(IntStream.range(2, COUNT).boxed().toList());
    }

    /** The disk may have been slow, or the thread may not have run. */
    @Test
    void refusesNothingAtTheFirstLook() {
        times.record(place(), 1);
        pace.look(5 * MILLIS);
        arrive(10 * MILLIS);
        assertThat(look(200, 0)).isEqualTo(COUNT);
        assertThat(IntStream.range(0, COUNT).filter(this::isLate)).isEmpty();
    }

    private int place() {
        return times.place(MessageType.COMMAND, ring, Message.HEADER_BYTES, 0);
    }

    private boolean isLate(int number) {
        return Message.sequence(ring, (long) number * FRAME) == Message.LATE;
    }

    private void arrive(long nanos) {
        for (int i = 0; i < COUNT; i++) {
            Message.header(ring, (long) i * FRAME, MessageType.COMMAND, 0, 1, i + 1);
            Message.timeNanos(ring, (long) i * FRAME, nanos);
        }
    }

    private int look(long millis, int from) {
        pace.look(millis * MILLIS);
        int at = from;
        while (at < COUNT && pace.admit(ring, (long) at * FRAME, Message.HEADER_BYTES)) {
            at++;
        }
        return at - from;
    }
}
