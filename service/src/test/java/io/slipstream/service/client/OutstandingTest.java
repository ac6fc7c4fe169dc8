package io.slipstream.service.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.Signal;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutstandingTest {
    private static final int REMEMBERED = 1 << 15;

    private final Random random = new Random(1);

    @ParameterizedTest
    @ValueSource(ints = {4096, 1 << 19, Outstanding.MAX_BYTES})
    void findsEveryMessageByACorrelationThatAServiceStillTellsFromOthers(int capacity) {
        try (Outstanding outstanding = new Outstanding(capacity, new Signal(), false)) {
            MemorySegment payload = MemorySegment.ofArray(new long[64]);
            Deque<Long> expected = new ArrayDeque<>();
            long next = 0;
            for (int i = 0; i < 100_000; i++) {
                while (outstanding.add(MessageType.COMMAND, payload, 0, random.nextInt(50), next, null)) {
                    expected.add(next++);
                }
                long end = outstanding.newest();
                long position = outstanding.firstUnanswered(outstanding.oldest(), end);
                long offset = outstanding.offset(position);
                long correlation = Message.correlation(outstanding.memory(), offset);
                assertThat(outstanding.find(correlation, end)).isEqualTo(position);
                assertThat(outstanding.attachment(position)).isEqualTo(expected.remove());
                assertThat((end - position) / (capacity / REMEMBERED + 1)).isLessThanOrEqualTo(REMEMBERED);
                outstanding.answered(position);
                assertThat(outstanding.find(correlation, end)).isNotEqualTo(position);
                outstanding.release(end);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Outstanding.MAX_BYTES})
    void sendsAMessageThatIsLongerThanAPieceAsOnePiece(int capacity) {
        try (Outstanding outstanding = new Outstanding(capacity, new Signal(), false)) {
            int longest = outstanding.maxPayloadLength();
            assertThat(outstanding.add(
                            MessageType.COMMAND, MemorySegment.ofArray(new byte[longest]), 0, longest, 0, null))
                    .isTrue();
            long end = outstanding.newest();
            assertThat(outstanding.endOfUnanswered(0, end, 1 << 16)).isEqualTo(end);
        }
    }
}
