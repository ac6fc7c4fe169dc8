package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A newer machine on the log of an older one, with snapshots at any time. */
class UpgradeTest {
    @TempDir
    Path directory;

    /** The entry that says which version serves is durable, and held back while the snapshot is taken. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void startsAgainFromASnapshotThatWasTakenBeforeTheUpgradeWasApplied(boolean secondInstance) throws Exception {
        try (Service service = Service.start(config(), new Counting(0));
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            for (int i = 0; i < 5; i++) {
                client.call(payload(1));
            }
        }
        ShutGate gate = new ShutGate();
        try (Service service = start(config().withLogGate(gate), secondInstance)) {
            long applied = Await.done(service.snapshot()).sequence();
            assertThat(applied)
                    .as("taken before the upgrade")
                    .isEqualTo(service.recovery().lastSequence());
            gate.open();
        }
        Counting live = new Counting(1);
        try (Service service = Service.start(config(), live);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(6);
            assertThat(live.upgrades).as("upgraded once").isEqualTo(1);
        }
    }

    @Test
    void takesSnapshotsAtOnceAfterTheStart() throws Exception {
        for (int version = 0; version < 3; version++) {
            int present = version;
            try (Service service = Service.start(config(), () -> new Counting(present));
                    ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
                Await.done(service.snapshot());
                assertThat(value(client.call(payload(1)).payload())).isEqualTo(version + 1);
            }
        }
    }

    /** A machine that has to act as a former version finds out by this, from the first entry on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysWhichVersionTheLogHasComeTo(boolean withSnapshot) throws Exception {
        for (int version : new int[] {0, 0, 2}) {
            Counting live = new Counting(version);
            try (Service service = Service.start(config(), live);
                    ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
                client.call(payload(1));
                assertThat(live.versions).endsWith(version);
            }
        }
        Counting replayed = new Counting(3);
        try (Service service = Service.start(config(), replayed);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(payload(1));
            assertThat(replayed.versions).containsExactly(0, 0, 2, 3);
            if (withSnapshot) {
                Await.done(service.snapshot());
            }
        }
        Counting last = new Counting(3);
        try (Service service = Service.start(config(), last);
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(payload(1));
            assertThat(last.versions).endsWith(3);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesALogAndASnapshotThatAreOlderThanItUnderstands(boolean withSnapshot) throws Exception {
        try (Service service = Service.start(config(), () -> new Counting(0));
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(payload(1));
            if (withSnapshot) {
                Await.done(service.snapshot());
            }
        }
        assertThatThrownBy(() -> Service.start(config(), () -> new Counting(2, 1)))
                .hasMessageContaining("was written by version 0 of 'counting'")
                .hasMessageContaining("serve it with the older one");
        try (Service service = Service.start(config(), () -> new Counting(1, 0));
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            assertThat(value(client.call(payload(1)).payload()))
                    .as("nothing was changed")
                    .isEqualTo(2);
        }
    }

    private static Service start(ServiceConfig config, boolean secondInstance) throws IOException {
        return secondInstance ? Service.start(config, () -> new Counting(1)) : Service.start(config, new Counting(1));
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    /** Counts commands. Each version writes its state in a format of its own, and reads all of them. */
    private static final class Counting implements StateMachine {
        private final int version;
        private final int oldest;
        private long count;
        private long upgrades;
        private final List<Integer> versions = new ArrayList<>();

        Counting(int version) {
            this(version, 0);
        }

        Counting(int version, int oldest) {
            this.version = version;
            this.oldest = oldest;
        }

        @Override
        public void onCommand(Request command, Output output) {
            count++;
            versions.add(output.version());
            output.reply(payload(count));
        }

        @Override
        public void onUpgrade(int formerVersion, Output output) {
            upgrades++;
        }

        @Override
        public long stateHash() {
            return count * 31 + upgrades;
        }

        @Override
        public void save(StateOutput output) {
            for (int i = 0; i < version; i++) {
                output.writeLong(7);
            }
            output.writeLong(count);
            output.writeLong(upgrades);
        }

        @Override
        public void load(StateInput input, int writer) {
            for (int i = 0; i < writer; i++) {
                input.readLong();
            }
            count = input.readLong();
            upgrades = input.readLong();
        }

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public int version() {
            return version;
        }

        @Override
        public int oldestVersion() {
            return oldest;
        }
    }
}
