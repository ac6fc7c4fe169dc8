package io.slipstream.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.ledger.Submitted.Failure;
import io.slipstream.ledger.Submitted.Reason;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.testing.TestService;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerServiceTest {
    @TempDir
    Path folder;

    @Test
    void takesFullBatchesAndGoesOnFromASnapshot() throws Exception {
        ServiceConfig config = LedgerService.config(folder)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22));
        try (Service service = Service.start(config, Ledger::new);
                TypedClient client = connect(service)) {
            client.call(new OpenAccount(1, true));
            client.call(new OpenAccount(2, false));
            for (int batch = 0; batch < 5; batch++) {
                assertThat(client.call(batch(batch)).failures()).isEmpty();
            }
            assertThat(client.call(batch(0)).failures()).hasSize(Submit.MAX_TRANSFERS);
            Await.done(service.snapshot());
        }
        try (Service service = Service.start(config, Ledger::new);
                TypedClient client = connect(service)) {
            assertThat(client.query(new AccountOf(2)).available()).isEqualTo(5 * Submit.MAX_TRANSFERS);
        }
        TestService.assertReplays(folder, Ledger::new);
    }

    @Test
    void replaysALogThatSetAnAmountAsideForANegativeTimeAndRefusesThatFromThenOn() throws Exception {
        ServiceConfig config = LedgerService.config(folder);
        try (Service service = Service.start(config, LedgerBeforeSeconds::new);
                TypedClient client = connect(service)) {
            client.call(new OpenAccount(1, true));
            client.call(new OpenAccount(2, false));
            assertThat(client.call(negative(10)).failures()).isEmpty();
        }
        long hash = TestService.assertReplays(folder, LedgerBeforeSeconds::new).stateHash();
        assertThat(TestService.assertReplays(folder, Ledger::new).stateHash()).isEqualTo(hash);
        Account asBefore;
        try (Service service = Service.start(config, Ledger::new);
                TypedClient client = connect(service)) {
            assertThat(client.call(negative(11)).failures()).containsExactly(new Failure(0, Reason.BAD_SECONDS));
            asBefore = client.query(new AccountOf(1));
            assertThat(asBefore.pendingDebits()).isEqualTo(5);
        }
        try (Service service = Service.start(config, Ledger::new);
                TypedClient client = connect(service)) {
            assertThat(client.query(new AccountOf(1))).isEqualTo(asBefore);
        }
        TestService.assertReplays(folder, Ledger::new);
    }

    private static Submit negative(long id) {
        return new Submit(List.of(new Transfer(id, 1, 2, 5, Transfer.Step.PENDING, 0, -1)));
    }

    private static Submit batch(int number) {
        long first = 1 + (long) number * Submit.MAX_TRANSFERS;
        return new Submit(LongStream.range(first, first + Submit.MAX_TRANSFERS)
                .mapToObj(id -> Transfer.pay(id, 1, 2, 1))
                .toList());
    }

    private static TypedClient connect(Service service) throws IOException {
        return LedgerService.connect(
                ServiceClient.builder("localhost", service.port()).timeout(Await.PATIENCE));
    }
}
