package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyStateTest {
    private static final int COMMANDS = 100_000;
    private static final int BATCHES = 5;

    /** What a batch may allocate on a thread: less than one byte for each tenth command. */
    private static final long STRAY_BYTES = COMMANDS / 10;

    @TempDir
    Path directory;

    private final MemorySegment payload = MemorySegment.ofArray(new long[4]);
    private final AtomicLong answered = new AtomicLong();

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 1", "false, 2"})
    void allocatesNothingForACommandOnAnyOfTheThreadsThatItPasses(boolean byMemory, int gateways) throws Exception {
        Path door = directory.resolve("s.ipc");
        ServiceConfig config = ServiceConfig.in(directory)
                .withThreading(Threading.THREE)
                .withGatewayThreads(gateways)
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withJournal(JournalConfig.at(Durability.PROCESS));
        try (Service service = Service.start(config.withSharedMemory(door), new EchoMachine());
                ServiceClient client = (byMemory ? TestClients.builder(door) : TestClients.builder(service.port()))
                        .handler(new Counting())
                        .connect()) {
            send(client, 3 * COMMANDS);
            Map<String, Long> least = new TreeMap<>();
            for (int i = 0; i < BATCHES; i++) {
                Map<String, Long> before = allocatedBytes();
                send(client, COMMANDS);
                allocatedBytes().forEach((thread, bytes) -> least.merge(thread, bytes - before.get(thread), Math::min));
            }
            assertThat(least)
                    .containsKeys("slipstream-client", "slipstream-gateway", "slipstream-journal", "slipstream-logic")
                    .hasSize(3 + gateways);
            assertThat(least)
                    .allSatisfy((thread, bytes) -> assertThat(bytes).as(thread).isLessThan(STRAY_BYTES));
        }
    }

    private void send(ServiceClient client, int commands) {
        long goal = answered.get() + commands;
        for (int i = 0; i < commands; i++) {
            while (!client.offer(payload, 0, 32, i)) {
                Thread.onSpinWait();
            }
        }
        while (answered.get() < goal) {
            Thread.onSpinWait();
        }
    }

    /** Returns what each of the threads has allocated so far, by its name. */
    private static Map<String, Long> allocatedBytes() {
        Map<String, Long> bytes = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().matches("slipstream-(gateway(-2)?|journal|logic|client)")) {
                bytes.merge(thread.getName(), Allocations.of(thread), Long::sum);
            }
        }
        return bytes;
    }

    private final class Counting implements ReplyHandler {
        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {
            answered.setRelease(answered.getPlain() + 1);
        }

        @Override
        public void onFailure(long attachment, ServiceException failure) {
            throw failure;
        }

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {
            throw new IllegalStateException("busy");
        }
    }
}
