package io.slipstream.service.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A time within which nothing can be done is refused where it is set, and not by each call. */
class ClientTimesTest {
    private final ServiceClient.Builder builder = ServiceClient.builder("127.0.0.1", 1);

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void noTimeToConnectOrToWaitIsRefused(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.timeout(time))
                .withMessage("the timeout of a call must be positive, but is " + time);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.connectTimeout(time))
                .withMessage("the connect timeout must be positive, but is " + time);
    }

    @Test
    void noTimeToReconnectIsTaken() {
        assertThat(builder.reconnectTimeout(Duration.ZERO)).isSameAs(builder);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.reconnectTimeout(Duration.ofNanos(-1)))
                .withMessage("the reconnect timeout must not be negative, but is PT-0.000000001S");
    }
}
