package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.Duty;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Level;
import io.slipstream.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupted thread opens, writes, flushes and closes a log as any other does, and stays interrupted. */
class InterruptedThreadTest {
    @TempDir
    Path temp;

    @BeforeEach
    void interrupt() {
        Thread.currentThread().interrupt();
    }

    @AfterEach
    void clear() {
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }

    @Test
    void aTextLogIsWritten() throws Exception {
        Path file = temp.resolve("app.log");
        try (LogSystem system = LogSystem.open(LogConfig.file(file).with("pattern", "%m%n"))) {
            write(system);
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            assertThat(system.losses().lost()).as(system.losses().reason()).isZero();
        }
        assertThat(Files.readAllLines(file))
                .hasSize(300)
                .startsWith("order 0 of x")
                .endsWith("done");
    }

    @Test
    void settingsAreRead() throws Exception {
        Path log = temp.resolve("app.log");
        Path file = Files.writeString(temp.resolve(LogConfig.FILE_NAME), "output = file\npath = " + log + "\n");
        try (LogSystem system = LogSystem.open(LogConfig.load(file))) {
            write(system);
        }
        assertThat(Files.readAllLines(log)).hasSize(300);
    }

    @Test
    void aBinaryLogIsWrittenAndReadInTwoLives() throws Exception {
        Path folder = temp.resolve("journal");
        for (int life = 1; life <= 2; life++) {
            try (LogSystem system = LogSystem.open(LogConfig.journal(folder))) {
                write(system);
                assertThat(system.flush(Await.PATIENCE)).isTrue();
                assertThat(system.losses().lost()).as(system.losses().reason()).isZero();
            }
        }
    }

    /** Whoever runs the duty may be interrupted as well, and for good. */
    @Test
    void aLogIsWrittenByAnInterruptedOwner() throws Exception {
        Path file = temp.resolve("app.log");
        AtomicReference<Duty> duty = new AtomicReference<>();
        try (LogSystem system =
                LogSystem.open(LogConfig.file(file).with("pattern", "%m%n"), (Duty given) -> duty.set(given))) {
            duty.get().onStart();
            write(system);
            while (duty.get().work() > 0) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
            duty.get().onStop();
            assertThat(system.losses().lost()).as(system.losses().reason()).isZero();
        }
        assertThat(Files.readAllLines(file)).hasSize(300).endsWith("done");
    }

    private static void write(LogSystem system) {
        Log log = system.log("orders");
        for (int i = 0; i < 299; i++) {
            log.info("order {} of {}", i, "x");
        }
        log.atInfo("done").log();
        log.debug("not {}", 1);
        system.level("orders", Level.WARN);
        log.info("not this one");
        system.inheritLevel("orders");
    }
}
