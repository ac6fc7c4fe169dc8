package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
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

    @Test
    void oneThatFailsLeavesTheOtherAlone() throws Exception {
        StateMachine failing = new StateMachine() {
            @Override
            public void onCommand(Request command, Output output) {
                throw new AssertionError("asked to fail");
            }

            @Override
            public long stateHash() {
                return 0;
            }
        };
        try (Service orders = start("orders");
                ServiceClient client = connect(orders);
                Service payments = Service.start(config("payments"), failing);
                ServiceClient failed = connect(payments)) {
            failed.send(payload(1));
            assertThatThrownBy(() -> Await.done(payments.ended())).hasRootCauseMessage("asked to fail");
            assertThat(value(client.call(payload(7)).payload())).isEqualTo(1);
            assertThat(orders.ended()).isNotDone();
        }
    }

    @Test
    void eachHasItsOwnFileOfCounters() throws Exception {
        Path ofOrders = directory.resolve("orders.counters");
        Path ofPayments = directory.resolve("payments.counters");
        try (Counters first = Counters.create(ofOrders, ServiceCounters.PLACES);
                Counters second = Counters.create(ofPayments, ServiceCounters.PLACES);
                Service orders = Service.start(config("orders"), new LedgerMachine(), first);
                Service payments = Service.start(config("payments"), new LedgerMachine(), second);
                ServiceClient ordersClient = connect(orders);
                ServiceClient paymentsClient = connect(payments)) {
            for (int i = 0; i < 5; i++) {
                ordersClient.call(payload(i));
            }
            paymentsClient.call(payload(1));
            // The session, and its commands.
            Await.until("the commands of one are counted", () -> accepted(ofOrders) >= 6);
            Await.until("and those of the other", () -> accepted(ofPayments) >= 2);
            assertThat(accepted(ofPayments)).isLessThan(6);
        }
    }

    private static long accepted(Path counters) throws IOException {
        try (CountersReader reader = CountersReader.open(counters)) {
            return reader.read().stream()
                    .filter(each ->
                            each.owner().equals("commands") && each.label().equals("accepted"))
                    .mapToLong(CounterValue::value)
                    .sum();
        }
    }

    private Service start(String name) throws IOException {
        return Service.start(config(name), new LedgerMachine());
    }

    private ServiceConfig config(String name) {
        return ServiceConfig.in(directory.resolve(name))
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }

    private static ServiceClient connect(Service service) throws IOException {
        return TestClients.connect(service.port());
    }
}
