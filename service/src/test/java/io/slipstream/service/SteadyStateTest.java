package io.slipstream.service;

import com.sun.management.ThreadMXBean;
import io.slipstream.journal.Durability;
import io.slipstream.journal.JournalConfig;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class SteadyStateTest {
    private static final int COMMANDS = 100_000;
    private static final int BATCHES = 5;
    private static final long STRAY_BYTES = 8L * COMMANDS;

    @TempDir
    Path directory;

    private final MemorySegment payload = MemorySegment.ofArray(new long[4]);
    private final AtomicLong answered = new AtomicLong();

    /**
     * Less than half of the smallest object for a command, in the best of some batches: what is left is the JVM's own for each time that the
     * gateway falls asleep in its selector, which is more often where the processors are far apart.
     */
    @Test
    void allocatesNothingForACommandOnAnyOfTheThreadsThatItPasses() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory).withThreading(Threading.THREE)
                .withMaxResponseTime(Duration.ofSeconds(10)).withJournal(JournalConfig.at(Durability.PROCESS));
        try (Service service = Service.start(config, new Echo());
             ServiceClient client = ServiceClient.builder("127.0.0.1", service.port()).handler(new Counting())
                     .connect()) {
            send(client, 3 * COMMANDS);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < BATCHES; i++) {
                long before = allocatedBytes();
                send(client, COMMANDS);
                least = Math.min(least, allocatedBytes() - before);
            }
            assertThat(least).isLessThan(STRAY_BYTES);
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

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().matches("slipstream-(gateway|journal|logic|client)")) {
                bytes += threads.getThreadAllocatedBytes(thread.threadId());
            }
        }
        return bytes;
    }

    private static final class Echo implements StateMachine {
        @Override
        public void onCommand(Command command, Output output) {
            output.reply(command.memory(), command.offset(), command.length());
        }

        @Override
        public long stateHash() {
            return 0;
        }
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
