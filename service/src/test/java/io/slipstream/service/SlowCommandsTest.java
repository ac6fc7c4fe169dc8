package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.pressure.CommandKinds;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that take long: as many are accepted as are done in time, from the first one on. */
class SlowCommandsTest {
    private static final Duration RESPONSE = Duration.ofMillis(200);
    private static final byte SLOW = 1;
    private static final byte FAST = 0;
    private static final int BURST = 400;
    private static final int DEEP = 900;
    private static final int ROUNDS = 10;

    /* Ten fit into the response time; those that are logged when it ends, half of it, may come on top. */
    private static final long SLOW_NANOS = RESPONSE.toNanos() / 10;
    private static final int MOST = 16;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Threading.class)
    void acceptsNoMoreOfAFirstBurstThanItDoesInTimeNorOfALaterOne(Threading threading) throws Exception {
        Slow machine = new Slow();
        try (Service service = start(threading, machine);
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(accepted(burst(client, SLOW, BURST))).isBetween(1, MOST);
            assertThat(accepted(burst(client, SLOW, BURST))).isBetween(1, MOST);
            assertThat(machine.applied).isLessThanOrEqualTo(2 * MOST);
        }
    }

    @ParameterizedTest
    @EnumSource(Threading.class)
    void measuresEachKindApart(Threading threading) throws Exception {
        Slow machine = new Slow();
        try (Service service = start(threading, machine);
                ServiceClient client = TestClients.connect(service.port())) {
            for (int i = 0; i < 10; i++) {
                client.call(new byte[] {FAST});
            }
            assertThat(accepted(burst(client, SLOW, BURST)))
                    .as("a kind that was never seen")
                    .isBetween(1, MOST);
            assertThat(accepted(burst(client, FAST, BURST)))
                    .as("fast ones behind slow ones")
                    .isGreaterThan(MOST);
        }
    }

    /** What is read in pieces must not wait for a slow command with each of them, on one thread either. */
    @ParameterizedTest
    @EnumSource(Threading.class)
    void refusesAllOfADeepPipelineBehindFewSlowCommands(Threading threading) throws Exception {
        Slow machine = new Slow();
        try (Service service = start(threading, machine);
                ServiceClient client =
                        TestClients.builder(service.port()).windowBytes(1 << 20).connect()) {
            accepted(burst(client, SLOW, BURST));
            // Where the client's own thread gets no processor, it hears of a refusal long after it was made.
            int least = Integer.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > MOST / 2; round++) {
                least = Math.min(least, doneBeforeTheLastRefusal(client, machine));
            }
            assertThat(least).as("commands done before the last refusal").isLessThanOrEqualTo(MOST / 2);
        }
    }

    private static int doneBeforeTheLastRefusal(ServiceClient client, Slow machine) throws Exception {
        int before = machine.applied;
        AtomicInteger last = new AtomicInteger();
        byte[] command = new byte[1_000];
        command[0] = SLOW;
        List<CompletableFuture<?>> replies = new ArrayList<>();
        for (int i = 0; i < DEEP; i++) {
            replies.add(client.send(command)
                    .handle((reply, failure) ->
                            failure == null ? 0 : last.accumulateAndGet(machine.applied - before, Math::max)));
        }
        Await.done(CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new)));
        return last.get();
    }

    private Service start(Threading threading, Slow machine) throws Exception {
        return Service.start(
                ServiceConfig.in(directory)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18))
                        .withThreading(threading)
                        .withMaxResponseTime(RESPONSE),
                machine);
    }

    private static List<CompletableFuture<Reply>> burst(ServiceClient client, byte kind, int count) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replies.add(client.send(new byte[] {kind}));
        }
        return replies;
    }

    /** Returns how many were not refused as busy. */
    private static int accepted(List<CompletableFuture<Reply>> replies) throws Exception {
        int accepted = 0;
        for (CompletableFuture<Reply> reply : replies) {
            try {
                Await.done(reply);
                accepted++;
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(BusyException.class);
            }
        }
        return accepted;
    }

    /** Takes its time. */
    private static final class Slow implements StateMachine, CommandKinds {
        private volatile int applied;

        @Override
        public int kind(MemorySegment memory, long offset, int length) {
            return memory.get(ValueLayout.JAVA_BYTE, offset);
        }

        @Override
        public void onCommand(Request command, Output output) {
            if (command.memory().get(ValueLayout.JAVA_BYTE, command.offset()) == SLOW) {
                long begin = System.nanoTime();
                while (System.nanoTime() - begin < SLOW_NANOS) {
                    LockSupport.parkNanos(SLOW_NANOS);
                }
            }
            applied = applied + 1;
        }

        @Override
        public long stateHash() {
            return applied;
        }
    }
}
