package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.logic.LogicError;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers that throw, and timers that set themselves again. */
class TimerTest {
    @TempDir
    Path directory;

    @Test
    void aTimerThatEndsTheServiceIsPassedOverWithItsEntry() throws Exception {
        List<Integer> passed = new ArrayList<>();
        ServiceConfig config = config().withEvents(new ServiceEvents() {
            @Override
            public void onSkip(long sequence, int timers) {
                passed.add(timers);
            }
        });
        Service service = Service.start(config, new Timers());
        ServiceClient client = ServiceClient.connect("127.0.0.1", service.port());
        client.send(payload(Timers.POISON));
        long entry = poisoned(service);
        assertThatThrownBy(() -> Await.done(service.ended()))
                .hasMessageContaining("in timer 1, due at 20")
                .hasMessageNotContaining("session");
        client.disconnect();
        assertThatThrownBy(() -> Service.start(config, new Timers()))
                .isInstanceOf(LogicError.class)
                .hasMessageContaining("at log entry " + entry);
        new JournalTool(
                        directory,
                        new Report(
                                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), false))
                .skip(entry);
        for (int start = 1; start <= 2; start++) {
            Timers machine = new Timers();
            try (Service again = Service.start(config, machine);
                    ServiceClient next = ServiceClient.connect("127.0.0.1", again.port())) {
                assertThat(value(next.call(payload(0)).payload())).isZero();
            }
            assertThat(passed).hasSize(start).containsOnly(1);
        }
    }

    @Test
    void tellsWhichTimerHasThrownAndWhenItWasDue() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        ServiceConfig config = config().withEvents(new ServiceEvents() {
            @Override
            public void onTimerFailure(long sequence, long timer, Instant due, Exception failure) {
                told.add(timer + " due at " + due + ": " + failure.getMessage());
            }
        });
        try (Service service = Service.start(config, new Timers());
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(payload(Timers.THROWS));
            assertThat(Await.next(told)).matches("5 due at 20\\S+Z: no");
        }
    }

    @Test
    void aTimerThatSetsItselfForNowDoesNotFillTheLog() throws Exception {
        Timers machine = new Timers();
        try (Service service = Service.start(config(), machine);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            long begin = System.nanoTime();
            client.call(payload(Timers.AGAIN));
            Await.until("the timer fires again", () -> machine.fired >= 20);
            client.call(payload(0));
            long sequence = client.status().sequence();
            long took = System.nanoTime() - begin;
            // One each ten milliseconds, and what else was logged.
            assertThat(sequence).isLessThan(16 + took / 10_000_000);
        }
        Timers replayed = new Timers();
        Service.replay(config(), replayed);
        assertThat(replayed.stateHash()).isEqualTo(machine.stateHash());
    }

    @Test
    void firesOnceWithEachEntryAndSaysInATestThatItNeverEnds() {
        try (TestService<Timers> service = TestService.of(Timers::new)) {
            TestClient client = service.connect();
            client.call(payload(Timers.AGAIN));
            assertThat(service.machine().fired).isZero();
            client.call(payload(0));
            assertThat(service.machine().fired).isEqualTo(1);
            client.call(payload(0));
            assertThat(service.machine().fired).isEqualTo(2);
            service.restart();
            assertThatThrownBy(() -> service.advance(Duration.ofDays(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("again and again");
        }
    }

    /** What has passed is due now: it overtakes no timer that was set before for a time that has passed, too. */
    @Test
    void firesInOrderThoughATimerSetsItselfForThePast() {
        try (TestService<Timers> service = TestService.of(Timers::new)) {
            TestClient client = service.connect();
            client.call(payload(Timers.PAST));
            client.call(payload(0));
            assertThat(service.machine().order).containsExactly(Timers.PAST, Timers.OTHER);
            client.call(payload(0));
            assertThat(service.machine().order).containsExactly(Timers.PAST, Timers.OTHER, Timers.PAST);
        }
    }

    private static long poisoned(Service service) throws InterruptedException {
        try {
            Await.done(service.ended());
        } catch (ExecutionException e) {
            String message = String.valueOf(e.getCause().getMessage());
            return Long.parseLong(message.replaceAll("(?s).*journal skip \\S+ (\\d+).*", "$1"));
        }
        throw new AssertionError("the service has ended without a failure");
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    /** Sets the timer that a command asks for. */
    private static final class Timers implements StateMachine {
        static final long POISON = 1;
        static final long AGAIN = 2;
        static final long PAST = 3;
        static final long OTHER = 4;
        static final long THROWS = 5;

        private final List<Long> order = new ArrayList<>();
        private volatile long fired;

        @Override
        public void onCommand(Request command, Output output) {
            long value = value(command.payload());
            if (value == POISON) {
                output.schedule(POISON, output.timeNanos() + 20_000_000);
            } else if (value == PAST) {
                output.schedule(PAST, 0);
                output.schedule(OTHER, 0);
            } else if (value == THROWS) {
                output.schedule(THROWS, output.timeNanos() + 1_000_000);
            } else if (value == AGAIN) {
                output.schedule(AGAIN, output.timeNanos());
            }
            output.reply(payload(fired));
        }

        @Override
        public void onTimer(long timer, Output output) {
            if (timer == POISON) {
                throw new AssertionError("poison");
            }
            if (timer == THROWS) {
                throw new IllegalStateException("no");
            }
            fired++;
            order.add(timer);
            if (timer == AGAIN) {
                output.schedule(timer, output.timeNanos());
            } else if (timer == PAST) {
                output.schedule(timer, 0);
            }
        }

        @Override
        public long stateHash() {
            return fired;
        }
    }
}
