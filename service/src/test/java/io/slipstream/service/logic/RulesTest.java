package io.slipstream.service.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log is replayed by the rules that its START entries name, so that one of an earlier version is what it was. */
class RulesTest {
    private static final byte NONE = 0;

    private final List<String> heard = new ArrayList<>();
    private final FrameRing nowhere = new FrameRing(1 << 12);
    private final Logic logic = new Logic(new Listening(), new LogicLimits(4096, 4096, 1 << 14, ""), nowhere, () -> {});
    private long sequence;

    @Test
    void withoutRulesAStartDetachesSessionsAndTimersFireWithTheEntryThatSetThem() {
        start(NONE);
        hello();
        start(NONE);
        assertThat(logic.sessionCount()).isEqualTo(1);
        tick(5);
        assertThat(heard).containsExactly("open 2", "timer 1 at 5", "timer 2 at 5", "timer 3 at 5");
    }

    @Test
    void withRulesItEndsThoseOfAConnectionAndTimersWaitForTheNextEntry() {
        start(Start.ALL_RULES);
        hello();
        start(Start.ALL_RULES);
        assertThat(logic.sessionCount()).isZero();
        tick(5);
        tick(6);
        assertThat(heard).containsExactly("open 2", "close 2", "timer 1 at 5", "timer 2 at 6");
    }

    @Test
    void theFirstStartWithRulesEndsTheSessionsOfALogWithoutThem() {
        start(NONE);
        hello();
        start(Start.ALL_RULES);
        assertThat(heard).containsExactly("open 2", "close 2");
    }

    @Test
    void aStartThatIsSkippedIsNotHeardByTheMachineButHolds() {
        start(Start.ALL_RULES);
        hello();
        assertThat(logic.skip(startFrame(Start.ALL_RULES), 0)).isZero();
        assertThat(logic.sessionCount()).isZero();
        assertThat(heard).containsExactly("open 2");
    }

    @Test
    void theLogGoesToAnotherVersionWithoutAStart() {
        start(Start.ALL_RULES);
        hello();
        start((byte) (Start.ALL_RULES | Start.UPGRADES));
        assertThat(logic.sessionCount()).isEqualTo(1);
        tick(5);
        tick(6);
        assertThat(heard).containsExactly("open 2", "timer 1 at 5", "timer 2 at 6");
    }

    private void start(byte rules) {
        logic.apply(startFrame(rules), 0);
    }

    private MemorySegment startFrame(byte rules) {
        Start start = new Start("listening", 0, 16, 1, 0, rules);
        MemorySegment frame = frame(MessageType.START, start.bytes(), 0, 1);
        start.encodePayload(frame, 0);
        return frame;
    }

    /** Opens a session that ends with its connection, whose machine sets a timer. */
    private void hello() {
        MemorySegment frame = frame(MessageType.HELLO, Hello.BYTES, 0, 1);
        Hello.encode(frame, 0, 7, 0, 0);
        Message.correlation(frame, 0, Hello.correlation(1, true));
        Message.sequence(frame, 0, sequence);
        Message.timeNanos(frame, 0, 1);
        logic.apply(frame, 0);
    }

    private void tick(long timeNanos) {
        logic.apply(frame(MessageType.TICK, 0, 0, timeNanos), 0);
    }

    private MemorySegment frame(short type, int payload, long correlation, long timeNanos) {
        MemorySegment frame = MemorySegment.ofArray(new long[Frame.align(Message.HEADER_BYTES + payload) / Long.BYTES]);
        Message.header(frame, 0, type, payload, 0, correlation);
        Message.sequence(frame, 0, ++sequence);
        Message.timeNanos(frame, 0, timeNanos);
        return frame;
    }

    /** Notes what it hears, and sets the next of three timers for the same time whenever one fires. */
    private final class Listening implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {}

        @Override
        public void onSessionOpen(long session, String principal, Output output) {
            heard.add("open " + session);
            output.schedule(1, 5);
        }

        @Override
        public void onSessionClose(long session, Output output) {
            heard.add("close " + session);
        }

        @Override
        public void onTimer(long timer, Output output) {
            heard.add("timer " + timer + " at " + output.timeNanos());
            if (timer < 3) {
                output.schedule(timer + 1, output.timeNanos());
            }
        }

        @Override
        public long stateHash() {
            return heard.hashCode();
        }

        @Override
        public String name() {
            return "listening";
        }
    }
}
