package io.slipstream.service.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ClientThreadTest {
    @Test
    void keepsTheJvmAliveUnlessItIsADaemon() throws Exception {
        assertThat(isDaemon(ServiceClient.builder("127.0.0.1", 1))).isFalse();
        assertThat(isDaemon(ServiceClient.builder("127.0.0.1", 1).daemon())).isTrue();
    }

    private static boolean isDaemon(ServiceClient.Builder builder) throws Exception {
        Set<Thread> before = clients();
        try (ServiceClient client = builder.begin()) {
            Set<Thread> present = new HashSet<>(clients());
            present.removeAll(before);
            assertThat(client).isNotNull();
            assertThat(present).hasSize(1);
            return present.iterator().next().isDaemon();
        }
    }

    private static Set<Thread> clients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("slipstream-client"))
                .collect(Collectors.toSet());
    }
}
