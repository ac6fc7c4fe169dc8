package io.slipstream.service.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** How long what waits is likely to take. */
class WorkloadTest {
    private final Workload work = new Workload();
    private final CommandTimes times =
            new CommandTimes((memory, offset, length) -> memory.get(ValueLayout.JAVA_BYTE, offset));

    @Test
    void sumsUpWhatWaitsAndForgetsWhatIsDone() {
        work.add(5);
        work.add(1_000);
        work.add(7);
        assertThat(work.nanos()).isEqualTo(1_012);
        work.done(1);
        assertThat(work.nanos()).isEqualTo(1_007);
        work.done(3);
        assertThat(work.nanos()).isZero();
        assertThat(work.waiting()).isZero();
    }

    @Test
    void isWrongByAThirtySecondPartAtMostHoweverManyWait() {
        int count = 1 << 20;
        for (int i = 0; i < count; i++) {
            work.add(10);
        }
        assertThat(work.nanos()).isEqualTo(10L * count);
        for (int done = 0; done <= count; done += 1 << 10) {
            work.done(done);
            long waiting = 10L * (count - done);
            assertThat(work.nanos()).isBetween(waiting, waiting + 10L * count / 16);
        }
        assertThat(work.nanos()).isZero();
    }

    @Test
    void theFirstMeasurementCountsUntilTheSecond() {
        int place = place(MessageType.COMMAND, 1);
        assertThat(times.nanos(place)).isEqualTo(CommandTimes.UNKNOWN);
        times.record(place, 20_000_000);
        assertThat(times.nanos(place)).isEqualTo(20_000_000);
        times.record(place, 8_000);
        assertThat(times.nanos(place)).isEqualTo(8_000);
        times.record(place, 16_000);
        assertThat(times.nanos(place)).isEqualTo(9_000);
    }

    @Test
    void kindsAreMeasuredApartAndQueriesApartFromCommands() {
        times.record(place(MessageType.COMMAND, 1), 10);
        assertThat(times.nanos(place(MessageType.COMMAND, 2))).isEqualTo(CommandTimes.UNKNOWN);
        assertThat(times.nanos(place(MessageType.QUERY, 1))).isEqualTo(CommandTimes.UNKNOWN);
        assertThat(times.nanos(place(MessageType.COMMAND, 1))).isEqualTo(10);
        assertThat(place(MessageType.COMMAND, -1))
                .as("a kind may be any number")
                .isPositive();
        assertThat(times.nanos(place(MessageType.HELLO, 1))).isEqualTo(CommandTimes.UNKNOWN);
    }

    private int place(short type, int kind) {
        MemorySegment message = MemorySegment.ofArray(new long[Message.HEADER_BYTES / Long.BYTES + 1]);
        Message.header(message, 0, type, 1, 1, 1);
        message.set(ValueLayout.JAVA_BYTE, Message.HEADER_BYTES, (byte) kind);
        return times.place(message, 0, Message.HEADER_BYTES + 1);
    }
}
