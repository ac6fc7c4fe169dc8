package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.host.Host;
import io.slipstream.service.host.SteadyHost;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of a log where the clock of the machine is wrong. */
class ClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final long NOW = 1_800_000_000 * SECOND;

    @TempDir
    Path directory;

    private final AtomicLong clock = new AtomicLong(NOW);
    private final AtomicLong elapsed = new AtomicLong();
    private final List<Duration> told = new CopyOnWriteArrayList<>();

    @Test
    void followsAClockThatIsSetALittle() {
        SteadyHost host = steady();
        pass(5 * SECOND);
        clock.addAndGet(3_600 * SECOND);
        assertThat(host.epochNanos()).isEqualTo(NOW + 3_605 * SECOND);
        assertThat(told).isEmpty();
    }

    @Test
    void standsStillUntilAClockThatWentBackHasCaughtUp() {
        SteadyHost host = steady();
        assertThat(host.epochNanos()).isEqualTo(NOW);
        clock.addAndGet(-10 * SECOND);
        for (int second = 1; second <= 9; second++) {
            pass(SECOND);
            assertThat(host.epochNanos()).isEqualTo(NOW);
        }
        pass(3 * SECOND);
        assertThat(host.epochNanos()).isEqualTo(NOW + 2 * SECOND);
        assertThat(told).containsExactly(Duration.ofSeconds(-9), Duration.ZERO);
    }

    @Test
    void goesOnAtItsOwnPaceWhenTheClockLeapsTenYears() {
        SteadyHost host = steady();
        Duration tenYears = Duration.ofDays(3_652);
        clock.addAndGet(tenYears.toNanos());
        for (int second = 1; second <= 3; second++) {
            pass(SECOND);
            assertThat(host.epochNanos()).isEqualTo(NOW + second * SECOND);
        }
        clock.addAndGet(-tenYears.toNanos());
        pass(SECOND);
        assertThat(host.epochNanos()).isEqualTo(NOW + 4 * SECOND);
        assertThat(told).containsExactly(tenYears, Duration.ZERO);
    }

    @Test
    void isNotBeforeTheEndOfALogThatIsAheadOfTheClock() {
        SteadyHost host = steady();
        host.notBefore(NOW + 100 * SECOND);
        pass(SECOND);
        assertThat(host.epochNanos()).isEqualTo(NOW + 100 * SECOND);
        assertThat(told).containsExactly(Duration.ofSeconds(-99));
    }

    @Test
    void aServiceDoesNotFollowALeapAndSaysSo() throws Exception {
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onClock(Duration ahead) {
                told.add(ahead);
            }
        };
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withEvents(events)
                .withHost(host());
        try (Service service = Service.start(config, new TimeTeller());
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(time(client)).isEqualTo(NOW);
            clock.addAndGet(Duration.ofDays(3_652).toNanos());
            pass(SECOND);
            assertThat(time(client)).isEqualTo(NOW + SECOND);
            assertThat(told).containsExactly(Duration.ofDays(3_652));
        }
    }

    private static long time(ServiceClient client) throws Exception {
        return LedgerMachine.value(Await.done(client.send(new byte[0])).payload());
    }

    private void pass(long nanos) {
        clock.addAndGet(nanos);
        elapsed.addAndGet(nanos);
    }

    private SteadyHost steady() {
        return new SteadyHost(host(), Duration.ofDays(1), told::add);
    }

    /** Returns this machine with a clock of the test's. Its other time runs on, since threads wait by it. */
    private Host host() {
        long startNanos = System.nanoTime();
        return (Host) Proxy.newProxyInstance(
                Host.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "epochNanos" -> clock.get();
                    case "nanoTime" -> startNanos + elapsed.get();
                    default -> method.invoke(Host.system(), arguments);
                });
    }

    /** Answers with the time of the command. */
    private static final class TimeTeller implements StateMachine {
        private final MemorySegment scratch = MemorySegment.ofArray(new long[1]);

        @Override
        public void onCommand(Request command, Output output) {
            scratch.set(ValueLayout.JAVA_LONG, 0, command.timeNanos());
            output.reply(scratch, 0, Long.BYTES);
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
