package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryProgressTest {
    @TempDir
    private Path folder;

    @Test
    void isReportedFromTheBeginAndOftenHoweverFewEntriesThereAre() throws Exception {
        try (Service service = Service.start(
                        ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE), new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            for (int i = 0; i < 200; i++) {
                client.call(LedgerMachine.payload(1));
            }
        }
        List<Long> reported = new ArrayList<>();
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onReplay(long done, long all) {
                assertThat(done).isBetween(0L, all);
                reported.add(done);
            }
        };
        try (Service service = Service.start(
                ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE).withEvents(events), new LedgerMachine())) {
            assertThat(reported).hasSizeGreaterThan(3).isSorted().startsWith(0L);
            assertThat(reported.getLast()).isEqualTo(service.recovery().lastSequence());
        }
    }
}
