package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Prefetching;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine that looks ahead sees the commands and queries that come next, and those alone. */
class PrefetchingTest {
    private static final int REQUESTS = 2_048;

    /* So few that none is refused, however long the first one takes. */
    private static final int AT_ONCE = 32;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Threading.class)
    void seesWhatComesNextInBatches(Threading threading) throws Exception {
        Looking machine = new Looking();
        ServiceConfig config = ServiceConfig.in(directory)
                .withThreading(threading)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS));
        List<Integer> sent = IntStream.range(0, REQUESTS).boxed().toList();
        try (Service service = Service.start(config, machine);
                ServiceClient client = TestClients.connect(service.port())) {
            List<CompletableFuture<?>> replies = new ArrayList<>();
            for (int each : sent) {
                byte[] payload = {(byte) each, (byte) (each >> 8)};
                replies.add(client.send(payload));
                if (replies.size() == AT_ONCE) {
                    for (CompletableFuture<?> reply : replies) {
                        Await.done(reply);
                    }
                    replies.clear();
                }
            }
            assertThat(client.query(new byte[] {1, 1}).payload()).containsExactly(1, 1);
        }
        assertThat(machine.done).startsWith(sent.toArray(Integer[]::new)).hasSize(REQUESTS + 1);
        assertThat(machine.batches).allSatisfy(batch -> assertThat(batch).isBetween(1, Prefetching.MOST));
        // Each is expected before it is done, but for those of rounds that are done one by one.
        assertThat(machine.surprises).isLessThan(REQUESTS);
        assertThat(machine.batches).anySatisfy(batch -> assertThat(batch).isGreaterThan(1));
    }

    private static final class Looking implements StateMachine, Prefetching {
        private final List<Integer> done = new ArrayList<>();
        private final List<Integer> batches = new ArrayList<>();
        private final List<Integer> expected = new ArrayList<>();
        private int surprises;
        private long sum;

        @Override
        public void expect(MemorySegment memory, long offset, int length) {
            assertThat(length).isEqualTo(2);
            expected.add(number(memory, offset));
        }

        @Override
        public void prefetch() {
            if (!expected.isEmpty()) {
                batches.add(expected.size());
            }
        }

        @Override
        public void onCommand(Request command, Output output) {
            int number = take(command);
            sum += number;
            output.reply(command.memory(), command.offset(), command.length());
        }

        @Override
        public void onQuery(Request query, Output output) {
            take(query);
            output.reply(query.memory(), query.offset(), query.length());
        }

        /** Those that were expected are done in that order. */
        private int take(Request request) {
            int number = number(request.memory(), request.offset());
            if (expected.isEmpty()) {
                surprises++;
            } else {
                assertThat(expected.removeFirst()).isEqualTo(number);
            }
            done.add(number);
            return number;
        }

        private static int number(MemorySegment memory, long offset) {
            return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset);
        }

        @Override
        public long stateHash() {
            return sum;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(sum);
        }

        @Override
        public void load(StateInput input, int version) {
            sum = input.readLong();
        }
    }
}
