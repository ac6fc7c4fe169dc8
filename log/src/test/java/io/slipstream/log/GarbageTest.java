package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Allocations;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What calls allocate once they are compiled, which takes as long as it takes. */
class GarbageTest {
    private static final int CALLS = 10_000;

    @TempDir
    private Path folder;

    private interface Calls {
        void log(Log log, int i);
    }

    /** Less than a byte for a call: what is left was not made by calls. */
    private static void expectNoGarbage(Log log, Calls calls) throws Exception {
        long least = Allocations.least(CALLS, () -> {
            for (int i = 0; i < CALLS; i++) {
                calls.log(log, i);
            }
        });
        assertThat(least).isLessThanOrEqualTo(CALLS);
    }

    /** The back end has nothing to wait for, so that the compiler soon sees many calls. */
    private static LogSystem toNowhere() throws IOException {
        return LogSystem.open(
                LogConfig.console().with("pattern", "%m%n").with("full.wait", "30 s"),
                new PrintStream(OutputStream.nullOutputStream()));
    }

    /** With more of them it depends on what was compiled first, see docs/log.md. */
    @Test
    void threeArgumentsMakeNone() throws Exception {
        try (LogSystem system = toNowhere()) {
            expectNoGarbage(system.log("a"), GarbageTest::three);
        }
    }

    /** Also when the compiler has met all types there, and has compiled the parts apart from their callers. */
    @Test
    void eightArgumentsThatAreAddedOneByOneMakeNone() throws Exception {
        try (LogSystem system = toNowhere()) {
            expectNoGarbage(system.log("a"), GarbageTest::mixed);
            expectNoGarbage(system.log("a"), GarbageTest::eight);
            expectNoGarbage(
                    system.log("a"),
                    (log, i) -> log.atDebug("not logged {}").add(1_000_000L + i).log());
        }
    }

    @Test
    void whatIsNotLoggedMakesNone() throws Exception {
        try (LogSystem system = toNowhere()) {
            expectNoGarbage(system.log("a"), GarbageTest::notLogged);
        }
    }

    @Test
    void smallPrimitivesMakeNone() throws Exception {
        try (LogSystem system = toNowhere()) {
            expectNoGarbage(system.log("a"), GarbageTest::single);
            expectNoGarbage(system.log("a"), GarbageTest::letter);
        }
    }

    @Test
    void textsAndEnumsMakeNone() throws Exception {
        try (LogSystem system = LogSystem.open(LogConfig.journal(folder).with("full.wait", "30 s"))) {
            StringBuilder text = new StringBuilder("text");
            expectNoGarbage(system.log("a"), (log, i) -> log.warn("{} {} {}", text, LogConfig.Output.FILE, true));
        }
    }

    private static void three(Log log, int i) {
        log.info("order {} filled at {} by {}", 1_000_000L + i, i * 0.5, "someone");
    }

    private static void mixed(Log log, int i) {
        log.atError("{} {} {} {}")
                .add(1.5f * i)
                .add((char) (1000 + (i & 1023)))
                .add(i % 2 == 0)
                .add("text")
                .log();
    }

    private static void eight(Log log, int i) {
        log.atInfo("eight {} {} {} {} {} {} {} {}")
                .add(1000 + i)
                .add(2000L + i)
                .add(3.5 * i)
                .add(4.5f * i)
                .add((char) (1000 + (i & 1023)))
                .add(i % 3 == 0)
                .add("someone")
                .add(9000 + i)
                .log();
    }

    private static void notLogged(Log log, int i) {
        log.debug("not logged {}", 1_000_000L + i);
    }

    private static void single(Log log, int i) {
        log.info("single {}", 1.5f * i);
    }

    private static void letter(Log log, int i) {
        log.info("letter {}", (char) (1000 + (i & 1023)));
    }

    /** The ring, the buffers of the back end, and its tables; on the heap and beside it. */
    @Test
    void theDefaultsTakeLessThanFourMegabytes() throws IOException {
        long before = usedBytes();
        try (LogSystem system = toNowhere()) {
            for (int i = 0; i < CALLS; i++) {
                three(system.log("a"), i);
            }
            assertThat(system.config().ringBytes() + usedBytes() - before).isLessThan(4 << 20);
        }
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
