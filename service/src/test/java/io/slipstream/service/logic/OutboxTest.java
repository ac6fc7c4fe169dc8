package io.slipstream.service.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final MemorySegment frame = MemorySegment.ofArray(new long[1024]);

    @Test
    void keepsTheNewestOutputsThatFitAndSaysWhetherOlderOnesAreMissing() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Outbox outbox = new Outbox(8192);
        List<Integer> lengths = new ArrayList<>();
        for (int sequence = 1; sequence <= 5_000; sequence++) {
            int payload = random.nextInt(600);
            lengths.add(payload);
            add(outbox, sequence, payload);
            int seen = Math.max(0, sequence - random.nextInt(40));
            List<Long> kept = new ArrayList<>();
            for (long at = outbox.firstAfter(seen, 1); at < outbox.end(); at = outbox.next(at)) {
                long kind = outbox.sequence(at);
                assertThat(outbox.length(at))
                        .as("seed %d", seed)
                        .isEqualTo(Message.HEADER_BYTES + lengths.get((int) kind - 1));
                kept.add(kind);
            }
            long oldest = kept.isEmpty() ? sequence + 1 : kept.getFirst();
            for (int i = 0; i < kept.size(); i++) {
                assertThat(kept.get(i)).as("seed %d", seed).isEqualTo(oldest + i);
            }
            assertThat(outbox.missedAfter(seen, 1))
                    .as("seed %d, seen %d, oldest %d", seed, seen, oldest)
                    .isEqualTo(oldest > seen + 1);
        }
    }

    @Test
    void knowsWhatCanHaveBeenSeenLast() {
        Outbox outbox = new Outbox(4096);
        assertThat(outbox.mayBeSeen(0, 0)).isTrue();
        assertThat(outbox.mayBeSeen(7, 1)).isFalse();
        for (int sequence = 2; sequence <= 2_000; sequence += 2) {
            add(outbox, sequence, 100);
        }
        for (int sequence = 1; sequence <= 2_001; sequence++) {
            boolean isLost = outbox.missedAfter(sequence - 1, 2);
            assertThat(outbox.mayBeSeen(sequence, 1)).as("%d", sequence).isEqualTo(isLost || sequence % 2 == 0);
        }
        assertThat(outbox.mayBeSeen(2_000, 2)).isFalse();
        // A place, and no output.
        assertThat(outbox.mayBeSeen(5_000, 0)).isTrue();
    }

    @Test
    void keepsTheSameOutputsBehindASnapshot() {
        SplittableRandom random = new SplittableRandom(5);
        Outbox live = new Outbox(4096);
        Outbox loaded = new Outbox(4096);
        for (int sequence = 1; sequence <= 5_000; sequence++) {
            if (random.nextInt(20) == 0) {
                Saved saved = new Saved();
                live.save(saved);
                loaded = new Outbox(4096);
                loaded.load(saved);
            }
            int payload = random.nextInt(1, 1 + random.nextInt(1, 2_100));
            add(live, sequence, payload);
            add(loaded, sequence, payload);
            assertThat(kept(loaded)).as("behind %d", sequence).isEqualTo(kept(live));
            assertThat(loaded.missedAfter(sequence - 3, 1)).isEqualTo(live.missedAfter(sequence - 3, 1));
        }
    }

    private static List<Long> kept(Outbox outbox) {
        List<Long> kept = new ArrayList<>();
        for (long at = outbox.firstAfter(0, 0); at < outbox.end(); at = outbox.next(at)) {
            kept.add(outbox.sequence(at));
        }
        return kept;
    }

    @Test
    void findsTheAnswerToACommandAmongTheEvents() {
        Outbox outbox = new Outbox(8192);
        Message.header(frame, 0, MessageType.EVENT, 8, 1, 7);
        outbox.add(frame, 0);
        Message.header(frame, 0, MessageType.REPLY, 16, 1, 7);
        outbox.add(frame, 0);
        long at = outbox.answerTo(7);
        MemorySegment found = MemorySegment.ofArray(new long[16]);
        outbox.copy(at, Frame.HEADER_BYTES, found, Frame.HEADER_BYTES);
        assertThat(Message.type(found, 0)).isEqualTo(MessageType.REPLY);
        assertThat(outbox.answerTo(8)).isEqualTo(outbox.end());
    }

    @Test
    void countsAnOutputThatIsTooLongToKeepAsMissing() {
        Outbox outbox = new Outbox(4096);
        add(outbox, 1, 100);
        add(outbox, 2, 3000);
        add(outbox, 3, 100);
        assertThat(outbox.missedAfter(1, 1)).isTrue();
        assertThat(outbox.missedAfter(2, 1)).isFalse();
        assertThat(outbox.sequence(outbox.firstAfter(0, 0))).isEqualTo(3);
    }

    private void add(Outbox outbox, int sequence, int payload) {
        Message.header(frame, 0, MessageType.REPLY, payload, 1, sequence);
        Message.sequence(frame, 0, sequence);
        Message.index(frame, 0, 1);
        outbox.add(frame, 0);
    }

    /** What was written, to be read again in the same order. */
    private static final class Saved implements StateOutput, StateInput {
        private final MemorySegment memory = MemorySegment.ofArray(new long[4096]);
        private long written;
        private long read;

        @Override
        public void writeByte(int value) {
            memory.set(ValueLayout.JAVA_BYTE, written++, (byte) value);
        }

        @Override
        public void writeInt(int value) {
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, written, value);
            written += Integer.BYTES;
        }

        @Override
        public void writeLong(long value) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, written, value);
            written += Long.BYTES;
        }

        @Override
        public void write(MemorySegment from, long offset, long length) {
            MemorySegment.copy(from, offset, memory, written, length);
            written += length;
        }

        @Override
        public byte readByte() {
            return memory.get(ValueLayout.JAVA_BYTE, read++);
        }

        @Override
        public int readInt() {
            read += Integer.BYTES;
            return memory.get(ValueLayout.JAVA_INT_UNALIGNED, read - Integer.BYTES);
        }

        @Override
        public long readLong() {
            read += Long.BYTES;
            return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, read - Long.BYTES);
        }

        @Override
        public void read(MemorySegment into, long offset, long length) {
            MemorySegment.copy(memory, read, into, offset, length);
            read += length;
        }

        @Override
        public long remaining() {
            return written - read;
        }
    }
}
