package io.slipstream.service.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepeatedLookTest {
    private static final long PAUSE_NANOS = 1_000_000;

    @Test
    void goesOnWhateverIsThrown() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (Host.Alarm look = Host.system().watch("look", PAUSE_NANOS, () -> {
            switch (looks.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("made up");
                case 2 -> throw new OutOfMemoryError("made up");
                default -> {}
            }
        })) {
            assertThat(look).isNotNull();
            Await.until("it looks again", () -> looks.get() > 3);
        }
    }
}
