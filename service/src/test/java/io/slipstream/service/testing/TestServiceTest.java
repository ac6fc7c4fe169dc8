package io.slipstream.service.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test service does what a service does, and finds what it is for. */
class TestServiceTest {
    private static final long TOPIC = 5;

    @Test
    void firesTimersInOrderAtTheirTimesHoweverManyAreDue() {
        try (TestService<Recorder> service = TestService.of(Recorder::new)) {
            TestClient client = service.connect();
            long begin = service.timeNanos();
            for (int i = 1; i <= 3000; i++) {
                client.call(new byte[] {'t', (byte) (i >> 8), (byte) i});
            }
            service.advance(Duration.ofHours(1));
            assertThat(service.machine().fired).hasSize(3000).isSorted();
            assertThat(service.machine().firedAt).containsOnly(begin + 1_000_000_000L);
            service.restart();
            assertThat(service.machine().fired).hasSize(3000);
        }
    }

    @Test
    void subscribesWithASnapshotAndResumesWhereItWasCut() {
        try (TestService<Recorder> service = TestService.of(Recorder::new)) {
            TestClient writer = service.connect();
            writer.call(new byte[] {'p', 1});
            TestClient reader = service.connect();
            reader.subscribe(TOPIC);
            assertThat(reader.rawItems(TOPIC)).containsExactly(new byte[] {99});
            writer.call(new byte[] {'p', 2});
            assertThat(reader.rawItems(TOPIC)).containsExactly(new byte[] {2});
            reader.disconnect();
            writer.call(new byte[] {'p', 3});
            writer.call(new byte[] {'p', 4});
            service.restartFromSnapshot();
            reader.reconnect();
            assertThat(reader.rawItems(TOPIC)).containsExactly(new byte[] {3}, new byte[] {4});
        }
    }

    /** A subscription is not in the log, so nothing of it may be in the state that follows from the log. */
    @Test
    void leavesNothingBehindOfWhoSubscribesToWhatIsNotPublished() {
        try (TestService<Recorder> service = TestService.of(Recorder::new)) {
            TestClient reader = service.connect();
            reader.subscribe(TOPIC + 1);
            service.connect().call(new byte[] {'p', 1});
            service.restart();
            reader.subscribe(TOPIC + 2);
            service.restartFromSnapshot();
            service.restart();
        }
    }

    @Test
    void answersACommandThatIsSentTwiceOnceAlsoBehindASnapshot() {
        try (TestService<Recorder> service = TestService.of(Recorder::new)) {
            TestClient client = service.connect();
            byte[] first = client.call(new byte[] {'p', 1}).payload();
            service.restartFromSnapshot();
            assertThat(client.resend().payload()).isEqualTo(first);
            service.restartFromSnapshot();
            assertThat(client.resend().payload()).isEqualTo(first);
            assertThat(service.machine().commands).isEqualTo(1);
        }
    }

    @Test
    void keepsEventsForASessionThatIsAwayAlsoBehindASnapshot() {
        try (TestService<Recorder> service = TestService.of(Recorder::new)) {
            TestClient owner = service.connect();
            owner.disconnect();
            service.connect().call(new byte[] {'e', (byte) owner.session()});
            service.restartFromSnapshot();
            owner.reconnect();
            assertThat(owner.rawEvents()).containsExactly(new byte[] {42});
        }
    }

    @Test
    void upgradesWhereTheLogGoesFromOneVersionToTheNext() {
        try (TestService<Recorder> service = TestService.of(Recorder::new)) {
            TestClient client = service.connect();
            client.call(new byte[] {'p', 1});
            service.restartWith(() -> new Recorder(1));
            assertThat(service.machine().upgradedFrom).isEqualTo(0);
            client.call(new byte[] {'p', 1});
            service.restart();
            assertThat(service.machine().upgradedFrom).isEqualTo(0);
            assertThat(service.machine().commands).isEqualTo(1 + 10);
            assertThatThrownBy(() -> service.restartWith(Recorder::new))
                    .hasMessageContaining("serve it with the newer one");
        }
    }

    @Test
    void findsTheEntryAtWhichAMachineWentAnotherWay() {
        int[] clock = {0};
        try (TestService<StateMachine> service = TestService.of(() -> new Guessing(clock))) {
            TestClient client = service.connect();
            client.call(new byte[] {1});
            service.restart();
            client.call(new byte[] {1});
            client.call(new byte[] {'r'});
            assertThatThrownBy(service::restart)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("replay led to another state behind entry " + service.entries());
        }
    }

    @Test
    void findsALookThatChangesTheState() {
        try (TestService<StateMachine> service = TestService.of(Counting::new)) {
            TestClient client = service.connect();
            assertThatThrownBy(() -> client.query(new byte[] {1}))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("a query has changed the state: its hash was 0 and is 1");
            assertThatThrownBy(() -> client.subscribe(TOPIC))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("a subscription has changed the state: its hash was 1 and is 2");
        }
    }

    private static final class Recorder implements StateMachine {
        final List<Long> fired = new ArrayList<>();
        final List<Long> firedAt = new ArrayList<>();
        private final int version;
        int upgradedFrom = -1;
        long commands;

        Recorder() {
            this(0);
        }

        Recorder(int version) {
            this.version = version;
        }

        @Override
        public void onCommand(Request command, Output output) {
            byte[] payload = command.payload();
            switch (payload[0]) {
                case 't' ->
                    output.schedule((payload[1] & 0xff) << 8 | payload[2] & 0xff, output.timeNanos() + 1_000_000_000L);
                case 'p' -> output.publish(TOPIC, new byte[] {payload[1]});
                case 'e' -> output.event(payload[1], new byte[] {42});
                default -> output.reject("what?");
            }
            commands += upgradedFrom < 0 ? 1 : 10;
            output.reply(new byte[] {(byte) commands});
        }

        @Override
        public void onSubscribe(long topic, Request command, Output output) {
            output.publish(topic, new byte[] {99});
        }

        @Override
        public void onTimer(long timer, Output output) {
            fired.add(timer);
            firedAt.add(output.timeNanos());
        }

        @Override
        public void onUpgrade(int formerVersion, Output output) {
            upgradedFrom = formerVersion;
        }

        @Override
        public int version() {
            return version;
        }

        @Override
        public long stateHash() {
            return commands * 31 + fired.size();
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(commands);
        }

        @Override
        public void load(StateInput input, int savedVersion) {
            commands = input.readLong();
        }
    }

    /** Looks at something that no log has. */
    private static final class Guessing implements StateMachine {
        private final int[] clock;
        private long sum;

        Guessing(int[] clock) {
            this.clock = clock;
        }

        @Override
        public void onCommand(Request command, Output output) {
            sum += command.payload()[0] == 'r' ? ++clock[0] : 1;
        }

        @Override
        public long stateHash() {
            return sum;
        }
    }

    /** Counts how often somebody has looked. */
    private static final class Counting implements StateMachine {
        private long looks;

        @Override
        public void onCommand(Request command, Output output) {
            output.reply(new byte[1]);
        }

        @Override
        public void onQuery(Request query, Output output) {
            looks++;
        }

        @Override
        public void onSubscribe(long topic, Request command, Output output) {
            looks++;
        }

        @Override
        public long stateHash() {
            return looks;
        }
    }
}
