package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Done;
import io.slipstream.service.typed.Query;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.service.typed.TypedMachine;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A state machine that does not come back: it is named, the service can be ended, and replay can pass over it. */
class SlowEntryTest {
    @TempDir
    Path folder;

    private final BlockingQueue<SlowEntry> told = new LinkedBlockingQueue<>();
    private final ServiceEvents events = new ServiceEvents() {
        @Override
        public void onSlowEntry(SlowEntry entry) {
            told.add(entry);
        }
    };

    @ParameterizedTest
    @EnumSource(Threading.class)
    void isNamedAndEndsWithinABoundAndIsPassedOver(Threading threading) throws Exception {
        Path running = folder.resolve("running");
        Path left = folder.resolve("left");
        Looping machine = new Looping();
        Service service =
                Service.start(config(running).withThreading(threading).withDrainTime(Duration.ofMillis(100)), machine);
        long entry;
        try (ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            assertThat(value(client.call(payload(5)).payload())).isEqualTo(5);
            client.send(payload(Looping.FOREVER));
            SlowEntry first = told();
            entry = first.sequence();
            assertThat(first.text())
                    .contains("a command, log entry " + entry)
                    .contains("journal skip " + running + " " + entry);
            assertThat(first.replayed()).isFalse();
            assertThat(first.stack()).anyMatch(frame -> frame.getClassName().endsWith("Looping"));
            assertThat(told().lasted()).as("told again").isGreaterThan(first.lasted());
            service.close();
            assertThatThrownBy(() -> Await.done(service.ended()))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("has not ended")
                    .hasMessageContaining("log entry " + entry);
            client.disconnect();
            copy(running, left);
        } finally {
            machine.released = true;
        }
        told.clear();
        Looping again = new Looping();
        var starting = Await.inBackground(
                "starting", () -> Service.start(config(left), again).close());
        SlowEntry replayed = told();
        assertThat(replayed.sequence()).isEqualTo(entry);
        assertThat(replayed.replayed()).isTrue();
        again.released = true;
        Await.done(starting);
        new JournalTool(
                        left,
                        new Report(
                                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), false))
                .skip(entry);
        try (Service passed = Service.start(config(left), new Looping());
                ServiceClient client = ServiceClient.connect("127.0.0.1", passed.port())) {
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(6);
        }
    }

    @Test
    void aTimerIsNamed() throws Exception {
        Looping machine = new Looping();
        try (Service service = Service.start(config(folder), machine);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(payload(Looping.TIMER));
            assertThat(told().kind()).matches("timer 7, due at 20.*Z");
            machine.released = true;
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
        } finally {
            machine.released = true;
        }
    }

    @Test
    void whoIsRefusedMeanwhileIsToldToComeBackAfterAsLongAsItHasLastedAtLeast() throws Exception {
        Looping machine = new Looping();
        ServiceConfig config =
                config(folder).withThreading(Threading.THREE).withMaxResponseTime(Duration.ofMillis(100));
        try (Service service = Service.start(config, machine);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port());
                ServiceClient other = ServiceClient.connect("127.0.0.1", service.port())) {
            client.send(payload(Looping.FOREVER));
            long lasted = told().lasted().toNanos();
            assertThatThrownBy(() -> other.call(payload(1)))
                    .isInstanceOfSatisfying(
                            BusyException.class,
                            busy -> assertThat(busy.retryAfterNanos())
                                    .isBetween(Math.min(lasted, 500_000_000), 1_000_000_000L));
            machine.released = true;
        } finally {
            machine.released = true;
        }
    }

    @Test
    void aCommandAndAQueryOfATypedServiceAreNamedAsInTheContractAlsoAtReplay() throws Exception {
        Stuck machine = new Stuck();
        try (Service service = Service.start(config(folder), machine);
                TypedClient client = TypedClient.connect(Stuck.CONTRACT, "127.0.0.1", service.port())) {
            var done = client.callAsync(new Hold());
            assertThat(told().text()).contains("has been in command Hold, log entry ");
            machine.released = true;
            Await.done(done);
            machine.released = false;
            told.clear();
            var asked = client.queryAsync(new Ask());
            assertThat(told().kind()).isEqualTo("query Ask");
            machine.released = true;
            Await.done(asked);
        }
        told.clear();
        Stuck again = new Stuck();
        var starting = Await.inBackground(
                "starting", () -> Service.start(config(folder), again).close());
        SlowEntry replayed = told();
        again.released = true;
        Await.done(starting);
        assertThat(replayed.kind()).isEqualTo("command Hold");
        assertThat(replayed.replayed()).isTrue();
    }

    private SlowEntry told() throws InterruptedException {
        SlowEntry entry = told.poll(Await.PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        assertThat(entry).as("told of an entry that takes long").isNotNull();
        return entry;
    }

    private ServiceConfig config(Path directory) {
        return ServiceConfig.in(directory)
                .withEvents(events)
                .withSlowEntryAfter(Duration.ofMillis(200))
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        List<Path> files;
        try (Stream<Path> all = Files.list(from)) {
            files = all.toList();
        }
        for (Path file : files) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    record Hold() implements Command<Done> {}

    record Ask() implements Query<Done> {}

    /** A typed machine that does not come back until it is released. */
    private static final class Stuck extends TypedMachine {
        static final Contract CONTRACT = Contract.named("stuck", MethodHandles.lookup())
                .commands(Hold.class)
                .queries(Ask.class)
                .build();

        private volatile boolean released;
        private long count;

        Stuck() {
            super(CONTRACT);
            on(Hold.class, (hold, context) -> {
                count++;
                return stay();
            });
            answer(Ask.class, (ask, context) -> stay());
        }

        private Done stay() {
            while (!released) {
                LockSupport.parkNanos(1_000_000);
            }
            return Done.DONE;
        }

        @Override
        public long stateHash() {
            return count;
        }
    }

    /** Adds numbers up, and does not come back from one of them until it is released. */
    private static final class Looping implements StateMachine {
        static final long FOREVER = -1;
        static final long TIMER = -2;

        private volatile boolean released;
        private long sum;

        @Override
        public void onCommand(Request command, Output output) {
            long value = value(command.payload());
            if (value == FOREVER) {
                // The service waits for seconds; the timer shows that a thread which never parks is named as well.
                while (!released) {
                    LockSupport.parkNanos(1_000_000);
                }
            } else if (value == TIMER) {
                output.schedule(7, output.timeNanos());
            } else {
                sum += value;
            }
            output.reply(payload(sum));
        }

        @Override
        public void onTimer(long timer, Output output) {
            while (!released) {
                Thread.onSpinWait();
            }
        }

        @Override
        public long stateHash() {
            return sum;
        }
    }
}
