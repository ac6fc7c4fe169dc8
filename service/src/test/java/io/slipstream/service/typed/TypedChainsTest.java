package io.slipstream.service.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.typed.Bank.Balance;
import io.slipstream.service.typed.Bank.BalanceOf;
import io.slipstream.service.typed.Bank.Deposit;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Typed commands that are sent from a stage behind another one. */
class TypedChainsTest {
    private static final int CHAINS = 20_000;

    @TempDir
    Path directory;

    @Test
    void moreThanTheWindowHasRoomForAllEnd() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Duration.ofMinutes(1))
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS));
        try (Service service = Service.start(config, Bank::new);
                TypedClient client =
                        TypedClient.of(Bank.CONTRACT).connect(ServiceClient.builder("127.0.0.1", service.port()))) {
            List<CompletableFuture<Balance>> chains = new ArrayList<>();
            for (int i = 0; i < CHAINS; i++) {
                chains.add(client.callAsync(new Deposit(1, 1)).thenCompose(_ -> client.callAsync(new Deposit(2, 1))));
            }
            for (CompletableFuture<Balance> chain : chains) {
                Await.done(chain);
            }
            assertThat(client.query(new BalanceOf(2)).amount()).isEqualTo(CHAINS);
        }
    }
}
