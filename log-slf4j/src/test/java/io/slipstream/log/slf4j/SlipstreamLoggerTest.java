package io.slipstream.log.slf4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.MDCAdapter;

class SlipstreamLoggerTest {
    @TempDir
    private Path folder;

    @Test
    void isWhatSlf4jFinds() {
        assertThat(LoggerFactory.getLogger("a.b").getClass()).isEqualTo(SlipstreamLogger.class);
        assertThat(LoggerFactory.getLogger("a.b")).isSameAs(LoggerFactory.getLogger("a.b"));
        assertThat(LoggerFactory.getLogger("a").isInfoEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("a").isDebugEnabled()).isFalse();
    }

    @Test
    void logsInAllTheWaysOfSlf4j() throws IOException {
        Path file = folder.resolve("app.log");
        try (LogSystem system = LogSystem.open(LogConfig.file(file).with("pattern", "%p %c %m {%k}%n"))) {
            SlipstreamProvider provider = new SlipstreamProvider(system);
            Logger logger = provider.getLoggerFactory().getLogger("a");
            MDCAdapter context = provider.getMDCAdapter();
            logger.info("one {}", 1);
            logger.info("three {} {} {}", 1, "2", 3.0);
            logger.debug("not {}", 1);
            logger.warn(MarkerFactory.getMarker("M"), "marked {}", 2);
            context.put("user", "u1");
            logger.error("with context");
            context.remove("user");
            logger.atLevel(Level.INFO).addKeyValue("id", 7).addArgument("x").log("fluent {}");
            logger.info("failed", new IllegalStateException("no"));
            assertThat(system.flush(Await.PATIENCE)).isTrue();
        }
        assertThat(Files.readAllLines(file))
                .startsWith(
                        "INFO a one 1 {}",
                        "INFO a three 1 2 3.0 {}",
                        "WARN a marked 2 {marker=M}",
                        "ERROR a with context {user=u1}",
                        "INFO a fluent x {id=7}",
                        "INFO a failed {}",
                        "java.lang.IllegalStateException: no");
    }

    @Test
    void messagesThatAreMadeUpKeepMarkersContextKeyValuesAndTraces() throws IOException {
        Path file = folder.resolve("app.log");
        int count = 5_000;
        try (LogSystem system = LogSystem.open(
                LogConfig.file(file).with("pattern", "%c %m {%k}%n").with("full.wait", "30 s"))) {
            SlipstreamProvider provider = new SlipstreamProvider(system);
            Logger logger = provider.getLoggerFactory().getLogger("a");
            provider.getMDCAdapter().put("user", "u1");
            for (int i = 0; i < count; i++) {
                logger.atError()
                        .addKeyValue("id", i)
                        .addMarker(MarkerFactory.getMarker("M"))
                        .log("made up " + i);
                logger.error(MarkerFactory.getMarker("M"), "failed " + i + " {}", i, new Exception("cause " + i));
            }
        }
        try (var lines = Files.lines(file)) {
            assertThat(lines.filter(line -> !line.startsWith("\tat ")).toList())
                    .isEqualTo(IntStream.range(0, count)
                            .boxed()
                            .flatMap(i -> Stream.of(
                                    "a made up " + i + " {marker=M id=" + i + " user=u1}",
                                    "a failed " + i + " " + i + " {marker=M user=u1}",
                                    "java.lang.Exception: cause " + i))
                            .toList());
        }
    }

    @Test
    void contextBelongsToItsThread() throws Exception {
        ThreadContext context = new ThreadContext();
        context.put("a", "1");
        context.pushByKey("s", "x");
        context.pushByKey("s", "y");
        Thread other =
                Thread.ofPlatform().start(() -> assertThat(context.get("a")).isNull());
        other.join();
        assertThat(context.getCopyOfContextMap()).isEqualTo(Map.of("a", "1"));
        assertThat(context.popByKey("s")).isEqualTo("y");
        assertThat(context.getCopyOfDequeByKey("s")).containsExactly("x");
        context.clear();
        assertThat(context.getCopyOfContextMap()).isNull();
    }
}
