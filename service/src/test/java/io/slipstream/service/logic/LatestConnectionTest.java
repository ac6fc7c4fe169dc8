package io.slipstream.service.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a session the connection counts that its client has made last, in whatever order what it says arrives. */
class LatestConnectionTest {
    private static final long SOMEBODY = 5L << 24;
    private static final long SOMEBODY_ELSE = 3L << 24;
    private static final byte BEFORE = Start.ALL_RULES & ~Start.LATEST_CONNECTION;

    private final List<String> said = new ArrayList<>();
    private final List<Long> applied = new ArrayList<>();
    private final FrameRing ring = new FrameRing(1 << 14);
    private final FramePoller outputs = ring.newPoller();
    private final Logic logic = newLogic();
    private long sequence;
    private long connections;
    private long session;
    private int resumption;

    @BeforeEach
    void goLive() {
        logic.goLive();
    }

    @AfterEach
    void close() {
        ring.close();
    }

    @Test
    void aCommandOfAnEarlierConnectionIsNeitherAppliedNorAnswered() {
        start(Start.ALL_RULES);
        hello(SOMEBODY + 1);
        int first = resumption;
        hello(SOMEBODY + 2);
        assertThat(resumption).isNotEqualTo(first);
        command(7, first);
        assertThat(applied).isEmpty();
        assertThat(said).isEmpty();
        command(7, resumption);
        assertThat(applied).containsExactly(7L);
        assertThat(said).containsExactly("reply to 7");
    }

    @Test
    void neitherIsItRefused() {
        start(Start.ALL_RULES);
        hello(SOMEBODY + 1);
        int first = resumption;
        hello(SOMEBODY + 2);
        logic.refuse(commandFrame(7, first), 0, Busy.Reason.PENDING, 1);
        assertThat(drain()).isEmpty();
        logic.refuse(commandFrame(7, resumption), 0, Busy.Reason.PENDING, 1);
        assertThat(drain()).containsExactly("busy 7");
    }

    @Test
    void aQueryAndABYEOfAnEarlierConnectionArePassedOver() {
        start(Start.ALL_RULES);
        hello(0);
        int first = resumption;
        hello(0);
        enter(MessageType.QUERY, 8, first);
        enter(MessageType.SUBSCRIBE, 9, first);
        enter(MessageType.BYE, 10, first);
        assertThat(said).isEmpty();
        assertThat(logic.sessionCount()).isEqualTo(1);
        enter(MessageType.BYE, 10, resumption);
        assertThat(logic.sessionCount()).isZero();
    }

    /** Two gateways, or one behind a pause, find both in their sockets. */
    @Test
    void anEarlierConnectionThatComesLaterTakesNothingFromALaterOne() {
        start(Start.ALL_RULES);
        hello(SOMEBODY + 2);
        int present = resumption;
        hello(SOMEBODY + 1);
        assertThat(said).containsExactly("SUPERSEDED: a later connection has resumed this session");
        said.clear();
        command(7, present);
        assertThat(said).containsExactly("reply to 7");
    }

    @Test
    void whoeverElseKnowsTheKeyTakesTheSession() {
        start(Start.ALL_RULES);
        hello(SOMEBODY + 2);
        hello(SOMEBODY_ELSE + 1);
        hello(0);
        hello(SOMEBODY + 3);
        assertThat(said).isEmpty();
        command(7, resumption);
        assertThat(applied).containsExactly(7L);
    }

    @Test
    void whatIsLoadedTellsConnectionsApartAsWell() {
        start(Start.ALL_RULES);
        hello(SOMEBODY + 1);
        hello(SOMEBODY + 3);
        Bytes saved = new Bytes();
        logic.save(saved);
        saved.bytes.flip();
        Logic loaded = newLogic();
        loaded.load(saved);
        loaded.goLive();
        loaded.apply(commandFrame(7, resumption - 1), 0);
        assertThat(drain()).isEmpty();
        loaded.apply(helloFrame(SOMEBODY + 2), 0);
        assertThat(drain()).containsExactly("SUPERSEDED: a later connection has resumed this session");
        loaded.apply(commandFrame(7, resumption), 0);
        assertThat(drain()).containsExactly("reply to 7");
    }

    @Test
    void aLogOfAnEarlierVersionIsReplayedAsItWas() {
        start(BEFORE);
        hello(SOMEBODY + 2);
        hello(SOMEBODY + 1);
        assertThat(resumption).isZero();
        command(7, 0);
        assertThat(applied).containsExactly(7L);
        start(Start.ALL_RULES);
        hello(SOMEBODY + 1);
        said.clear();
        command(8, 0);
        command(8, resumption);
        assertThat(said).containsExactly("reply to 8");
        start(BEFORE);
        command(9, 0);
        assertThat(applied).containsExactly(7L, 8L, 9L);
    }

    private Logic newLogic() {
        return new Logic(new Noting(), new LogicLimits(4096, 4096, 1 << 14, ""), ring, () -> {});
    }

    private void start(byte rules) {
        Start start = new Start("noting", 0, 16, 1, 0, rules);
        MemorySegment frame = frame(MessageType.START, start.bytes(), 0, 0);
        start.encodePayload(frame, 0);
        logic.apply(frame, 0);
    }

    private void hello(long number) {
        logic.apply(helloFrame(number), 0);
        said.addAll(drain());
    }

    private MemorySegment helloFrame(long number) {
        long connection = Hello.correlation(++connections, false);
        MemorySegment frame = frame(MessageType.HELLO, Hello.entryBytes(number), 0, connection);
        Hello.encodeEntryWithoutLength(frame, 0, 77, 0, 0, number);
        Message.correlation(frame, 0, connection);
        Message.sequence(frame, 0, sequence);
        return frame;
    }

    private void command(long correlation, int on) {
        logic.apply(commandFrame(correlation, on), 0);
        said.addAll(drain());
    }

    private MemorySegment commandFrame(long correlation, int on) {
        MemorySegment frame = frame(MessageType.COMMAND, 0, session, correlation);
        Message.resumption(frame, 0, on);
        return frame;
    }

    private void enter(short type, long correlation, int on) {
        MemorySegment frame = frame(type, 24, session, correlation);
        Message.resumption(frame, 0, on);
        logic.apply(frame, 0);
        said.addAll(drain());
    }

    private MemorySegment frame(short type, int payload, long of, long correlation) {
        MemorySegment frame = MemorySegment.ofArray(new long[Frame.align(Message.HEADER_BYTES + payload) / Long.BYTES]);
        Message.header(frame, 0, type, payload, of, correlation);
        Message.sequence(frame, 0, ++sequence);
        Message.timeNanos(frame, 0, sequence);
        return frame;
    }

    /** Returns what was said to clients; takes the session and the resumption out of a WELCOME. */
    private List<String> drain() {
        List<String> heard = new ArrayList<>();
        outputs.poll(
                (memory, offset, length, _) -> {
                    switch (Message.type(memory, offset)) {
                        case MessageType.WELCOME -> {
                            session = Message.session(memory, offset);
                            resumption = Message.index(memory, offset);
                        }
                        case MessageType.REPLY -> heard.add("reply to " + Message.correlation(memory, offset));
                        case MessageType.BUSY -> heard.add("busy " + Message.correlation(memory, offset));
                        default -> {
                            FailureCode code = FailureNotice.code(memory, offset);
                            heard.add(code + ": " + FailureNotice.text(memory, offset));
                        }
                    }
                },
                Integer.MAX_VALUE);
        return heard;
    }

    /** A snapshot in memory. */
    private static final class Bytes implements StateOutput, StateInput {
        private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);

        @Override
        public void writeByte(int value) {
            bytes.put((byte) value);
        }

        @Override
        public void writeInt(int value) {
            bytes.putInt(value);
        }

        @Override
        public void writeLong(long value) {
            bytes.putLong(value);
        }

        @Override
        public void write(MemorySegment memory, long offset, long length) {
            bytes.put(memory.asSlice(offset, length).asByteBuffer());
        }

        @Override
        public byte readByte() {
            return bytes.get();
        }

        @Override
        public int readInt() {
            return bytes.getInt();
        }

        @Override
        public long readLong() {
            return bytes.getLong();
        }

        @Override
        public void read(MemorySegment memory, long offset, long length) {
            memory.asSlice(offset, length)
                    .copyFrom(MemorySegment.ofBuffer(bytes).asSlice(0, length));
            bytes.position(bytes.position() + (int) length);
        }

        @Override
        public long remaining() {
            return bytes.remaining();
        }
    }

    /** Notes the commands that it gets. */
    private final class Noting implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            applied.add(command.correlation());
        }

        @Override
        public String name() {
            return "noting";
        }

        @Override
        public long stateHash() {
            return 0;
        }

        @Override
        public void save(StateOutput output) {}

        @Override
        public void load(StateInput input, int version) {}
    }
}
