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

    /** Has no memory once, as when others had taken all of it for a moment. */
    private static final class Short extends ByteArrayOutputStream {
        private volatile boolean isShort;

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (isShort) {
                isShort = false;
                throw new OutOfMemoryError("none for a moment");
            }
            super.write(bytes, offset, length);
        }
    }

    /** The thread of the log goes on: a program whose log has ended in silence cannot say what is wrong with it. */
    @Test
    void goesOnAfterThereWasNoMemoryForAMoment() throws IOException {
        Short device = new Short();
        try (LogSystem system = LogSystem.open(
                LogConfig.console().with("pattern", "%m%n"), new PrintStream(device, false, StandardCharsets.UTF_8))) {
            system.log("a").info("before");
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            device.isShort = true;
            system.log("a").info("lost");
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            assertThat(system.losses().lost()).isEqualTo(1);
            assertThat(system.losses().reason()).contains("lines cannot be written", "none for a moment");
            system.log("a").info("after");
            assertThat(system.flush(Await.PATIENCE)).isTrue();
        }
        assertThat(device.toString(StandardCharsets.UTF_8).lines())
                .contains("before", "after")
                .anyMatch(line -> line.contains("1 messages were lost"));
    }
}
