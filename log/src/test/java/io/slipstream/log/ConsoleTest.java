package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    /** Refuses what it gets until it is told not to. */
    private static final class Refusing extends ByteArrayOutputStream {
        private volatile boolean refuses = true;

        @Override
        public void write(byte[] bytes) throws IOException {
            write(bytes, 0, bytes.length);
        }

        @Override
        public void flush() throws IOException {
            if (refuses) {
                reset();
                throw new IOException("refused");
            }
        }
    }

    @Test
    void oneErrorLosesWhatItHitAndNothingThatCameLater() throws IOException {
        Refusing device = new Refusing();
        try (LogSystem system = LogSystem.open(
                LogConfig.console().with("pattern", "%m%n"), new PrintStream(device, false, StandardCharsets.UTF_8))) {
            system.log("a").info("lost");
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            assertThat(system.losses().lost()).isEqualTo(1);
            device.refuses = false;
            for (int i = 0; i < 10; i++) {
                system.log("a").info("found {}", i);
                assertThat(system.flush(Await.PATIENCE)).isTrue();
            }
            assertThat(system.losses().lost()).isEqualTo(1);
            assertThat(device.toString(StandardCharsets.UTF_8).lines())
                    .contains("found 0", "found 9")
                    .doesNotContain("lost");
        }
    }
}
