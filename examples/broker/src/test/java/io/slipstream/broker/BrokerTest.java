package io.slipstream.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerTest {
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "memory"})
    void allMessagesComeThroughTheBroker(String transport) throws Exception {
        assertThat(Broker.run(transport, 2_000)).startsWith(transport + ": ").contains("million messages/s");
    }
}
