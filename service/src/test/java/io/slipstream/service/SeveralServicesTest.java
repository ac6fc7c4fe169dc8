package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process may run several services. */
class SeveralServicesTest {
    @TempDir
    Path directory;

    @Test
    void eachServiceOfAProcessHasItsOwnLogStateAndEnd() throws Exception {
        try (Service orders = start("orders");
                ServiceClient ordersClient = connect(orders)) {
            try (Service payments = start("payments");
                    ServiceClient paymentsClient = connect(payments)) {
                for (int i = 1; i <= 10; i++) {
                    assertThat(value(ordersClient.call(payload(7)).payload())).isEqualTo(i);
                    assertThat(value(paymentsClient.call(payload(8)).payload())).isEqualTo(i);
                }
            }
            assertThat(value(ordersClient.call(payload(7)).payload())).isEqualTo(11);
            try (Service payments = start("payments");
                    ServiceClient paymentsClient = connect(payments)) {
                assertThat(value(paymentsClient.query(payload(8)).payload())).isEqualTo(10);
                assertThat(value(paymentsClient.query(payload(7)).payload())).isZero();
            }
        }
    }

    private Service start(String name) throws IOException {
        return Service.start(
                ServiceConfig.in(directory.resolve(name))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)),
                new LedgerMachine());
    }

    private static ServiceClient connect(Service service) throws IOException {
        return TestClients.connect(service.port());
    }
}
