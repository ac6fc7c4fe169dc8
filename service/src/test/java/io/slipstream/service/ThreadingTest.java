package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.Topology;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadingTest {
    @Test
    void neverTakesMoreThreadsThanThereAreProcessors() {
        assertThat(Threading.forProcessors(1)).isEqualTo(Threading.ONE);
        assertThat(Threading.forProcessors(2)).isEqualTo(Threading.ONE);
        assertThat(Threading.forProcessors(3)).isEqualTo(Threading.TWO);
        assertThat(Threading.forProcessors(4)).isEqualTo(Threading.THREE);
        assertThat(Threading.forProcessors(64)).isEqualTo(Threading.THREE);
    }

    @Test
    void runsItsThreadsWhereThePlanSays(@TempDir Path directory) throws Exception {
        assumeThat(Affinity.means()).isIn("taskset", "sched_setaffinity");
        PinPlan plan = PinPlan.onePerCore(Topology.read());
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withThreading(Threading.TWO)
                .withPinning(plan);
        try (Service service = Service.start(config, new LedgerMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            assertThat(value(client.call(payload(1)).payload())).isEqualTo(1);
            // The system knows the first fifteen characters of a name: those of slipstream-journal and
            // slipstream-service.
            assertThat(placesOf("slipstream-jour")).contains(plan.place(0).toString());
            assertThat(placesOf("slipstream-serv")).contains(plan.place(1).toString());
        }
    }

    private static Set<String> placesOf(String thread) throws IOException {
        List<String> places = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                List<String> status = Files.exists(task) ? Files.readAllLines(task.resolve("status")) : List.of();
                if (status.contains("Name:\t" + thread)) {
                    status.stream()
                            .filter(line -> line.startsWith("Cpus_allowed_list:"))
                            .forEach(line -> places.add(line.substring(line.indexOf('\t') + 1)));
                }
            }
        }
        return Set.copyOf(places);
    }
}
