package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A query has no log entry of its own: its time is that of the last one. */
class QueryTimeTest {
    @TempDir
    Path directory;

    @Test
    void aQuerySeesTheTimeOfTheLastEntryAlsoBehindASnapshot() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
        long entered;
        try (Service service = Service.start(config, new Clock());
                ServiceClient client = TestClients.connect(service.port())) {
            entered = time(client.call(new byte[0]).payload());
            assertThat(entered).isPositive();
            assertThat(time(client.query(new byte[0]).payload())).isEqualTo(entered);
            service.snapshot().get();
        }
        try (Service service = Service.start(config, new Clock());
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(time(client.query(new byte[0]).payload())).isGreaterThan(entered);
        }
    }

    private static long time(byte[] payload) {
        return ByteBuffer.wrap(payload).getLong();
    }

    private static final class Clock implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            assertThat(output.timeNanos()).isEqualTo(command.timeNanos());
            output.reply(ByteBuffer.allocate(8).putLong(output.timeNanos()).array());
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reply(ByteBuffer.allocate(8).putLong(output.timeNanos()).array());
        }

        @Override
        public long stateHash() {
            return 0;
        }

        @Override
        public void save(StateOutput to) {}

        @Override
        public void load(StateInput from, int version) {}
    }
}
