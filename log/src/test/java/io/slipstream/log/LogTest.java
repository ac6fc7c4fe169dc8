package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Worker;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.Level;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
    private static final Duration LIMIT = Await.PATIENCE;

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("app.log");
    }

    private LogConfig config() {
        return LogConfig.file(file()).with("pattern", "%p [%t] %c - %m %k%n");
    }

    private List<String> logged(LogSystem system) throws IOException {
        assertThat(system.flush(LIMIT)).isTrue();
        return Files.readAllLines(file());
    }

    @Test
    void putsArgumentsInTheirPlaces() throws IOException {
        try (LogSystem system = LogSystem.open(config())) {
            Log log = system.log("orders");
            log.info("order {} filled at {}", 7, 1.5);
            log.warn("nothing");
            log.error("{}{}{}{}{}{}{}{}", 1, 2L, 3.5, true, 'c', "s\u00fc\u20ac", null, 2.5f);
            log.info("too few {} {}", (byte) 1);
            log.info("too many {}", 1, 2);
            log.info("{} {}", List.of(1, 2), new int[0].length);
            log.info("{} {}", new int[] {1, 2}, new Object[] {"a", new byte[] {3}, null});
            assertThat(logged(system))
                    .containsExactly(
                            "INFO [" + Thread.currentThread().getName() + "] orders - order 7 filled at 1.5 ",
                            "WARN [" + Thread.currentThread().getName() + "] orders - nothing ",
                            "ERROR [" + Thread.currentThread().getName() + "] orders - 123.5truecs\u00fc\u20acnull2.5 ",
                            "INFO [" + Thread.currentThread().getName() + "] orders - too few 1 {} ",
                            "INFO [" + Thread.currentThread().getName() + "] orders - too many 1 ",
                            "INFO [" + Thread.currentThread().getName() + "] orders - [1, 2] 0 ",
                            "INFO [" + Thread.currentThread().getName() + "] orders - [1, 2] [a, [3], null] ");
        }
    }

    @Test
    void takesArgumentsOneByOne() throws IOException {
        LogConfig config = LogConfig.file(file()).with("pattern", "%p %m%n");
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("orders");
            StringBuilder text = new StringBuilder("text");
            log.atInfo("{} {} {} {} {} {} {} {}")
                    .add((byte) 1)
                    .add(2L)
                    .add(3.5)
                    .add(true)
                    .add('c')
                    .add(text)
                    .add(null)
                    .add(2.5f)
                    .add("a ninth")
                    .log();
            log.atDebug("not {}").add("logged").log();
            log.atWarn("never finished {}").add(1);
            log.atError("too few {} {}").add(Integer.valueOf(7)).log();
            log.at(Level.WARN, "{} and {}")
                    .add(new Object() {
                        @Override
                        public String toString() {
                            log.atInfo("from within {}").add(1).log();
                            return "outside";
                        }
                    })
                    .add(2)
                    .log();
            LogMessage done = log.atInfo("once {}").add(1);
            done.log();
            done.log();
            assertThat(logged(system))
                    .containsExactly(
                            "INFO 1 2 3.5 true c text null 2.5",
                            "ERROR too few 7 {}",
                            "INFO from within 1",
                            "WARN outside and 2",
                            "INFO once 1");
        }
    }

    @Test
    void aWorkerOfTheCallersWritesItBesideOtherDuties() throws IOException {
        Path file = folder.resolve("own.log");
        AtomicReference<Duty> duty = new AtomicReference<>();
        LogSystem system = LogSystem.open(LogConfig.file(file).with("pattern", "%m%n"), duty::set);
        system.log("a").info("before {}", 1);
        Worker worker = Worker.builder("own", List.<Duty>of(() -> 0, duty.get()))
                .build()
                .start();
        system.log("a").info("while {}", 2);
        assertThat(system.flush(Await.PATIENCE)).isTrue();
        assertThat(Files.readAllLines(file)).containsExactly("before 1", "while 2");
        assertThatThrownBy(system::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a worker still writes this log: close the worker first, then the log");
        system.log("a").info("at the end {}", 3);
        worker.close();
        system.close();
        assertThat(Files.readAllLines(file)).containsExactly("before 1", "while 2", "at the end 3");
    }

    @Test
    void formats() throws IOException {
        for (String format : new String[] {"json", "logfmt"}) {
            Files.deleteIfExists(file());
            try (LogSystem system = LogSystem.open(config().with("format", format))) {
                Object[] arguments = {"a \"b\"", Arguments.key("user"), 7L, Arguments.key("x y"), "p=q"};
                system.log("orders").log(Level.WARN, "say {}", arguments, arguments.length);
                String line = logged(system).getFirst();
                if (format.equals("json")) {
                    assertThat(line)
                            .startsWith("{\"time\":\"2")
                            .contains("\"level\":\"WARN\"")
                            .contains("\"logger\":\"orders\"")
                            .contains("\"message\":\"say a \\\"b\\\"\"")
                            .endsWith("\"user\":7,\"x y\":\"p=q\"}");
                } else {
                    assertThat(line)
                            .startsWith("time=2")
                            .contains("level=WARN")
                            .contains("msg=\"say a \\\"b\\\"\"")
                            .endsWith("user=7 x_y=\"p=q\"");
                }
            }
        }
    }

    @Test
    void anExceptionComesWithItsTrace() throws IOException {
        try (LogSystem system = LogSystem.open(config())) {
            system.log("a").error("order {} failed", 7, new IllegalStateException("no\u20ac"));
            assertThat(logged(system)).element(0).asString().contains("order 7 failed");
            assertThat(logged(system)).element(1).asString().isEqualTo("java.lang.IllegalStateException: no\u20ac");
            assertThat(logged(system)).element(2).asString().contains("LogTest.anExceptionComesWithItsTrace");
        }
    }

    @Test
    void objectsAreLoggedAsTheyWereAtTheCall() throws IOException {
        try (LogSystem system = LogSystem.open(config())) {
            StringBuilder text = new StringBuilder("before");
            List<String> list = new ArrayList<>(List.of("before"));
            system.log("a").info("{} {}", text, list);
            text.setLength(0);
            text.append("after!");
            list.set(0, "after!");
            assertThat(logged(system).getFirst()).endsWith("before [before] ");
        }
    }

    private static final class Hostile {
        private final String kind;
        private final Log log;

        Hostile(String kind, Log log) {
            this.kind = kind;
            this.log = log;
        }

        @Override
        public String toString() {
            return switch (kind) {
                case "throws" -> throw new UnsupportedOperationException("no text");
                case "overflows" -> new Hostile(kind, log).toString();
                case "fails" -> throw new AssertionError("no text");
                case "logs" -> {
                    log.info("from within");
                    yield "outer";
                }
                default -> String.valueOf((Object) null);
            };
        }
    }

    @Test
    void aHostileArgumentHarmsNobody() throws IOException {
        try (LogSystem system = LogSystem.open(config())) {
            Log log = system.log("a");
            log.info("1 {}", new Hostile("throws", log));
            log.info("2 {}", new Hostile("overflows", log));
            log.info("3 {}", new Hostile("logs", log));
            log.info("4 {}", new Hostile("fails", log));
            log.info("5 {}", new Hostile("is null", log));
            List<String> lines = logged(system);
            assertThat(lines.get(0))
                    .contains("1 [")
                    .contains("Hostile.toString threw java.lang.UnsupportedOperationException]");
            assertThat(lines.get(1)).contains("2 [").contains("threw java.lang.StackOverflowError]");
            assertThat(lines.get(2)).endsWith("from within ");
            assertThat(lines.get(3)).endsWith("3 outer ");
            assertThat(lines.get(4)).contains("Hostile.toString threw java.lang.AssertionError]");
            assertThat(lines.get(5)).endsWith("5 null ");
        }
    }

    /** Holds back whoever asks for its text, as long as it lives. */
    @Test
    void anArgumentWhoseTextNeverEndsHoldsUpItsOwnThreadAlone() throws Exception {
        try (LogSystem system = LogSystem.open(config())) {
            Log log = system.log("a");
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch released = new CountDownLatch(1);
            Thread stuck = Thread.ofPlatform()
                    .daemon()
                    .start(() -> log.info("stuck {}", new Object() {
                        @Override
                        public String toString() {
                            entered.countDown();
                            try {
                                released.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return "free";
                        }
                    }));
            entered.await();
            log.info("others go on");
            assertThat(logged(system)).singleElement().asString().endsWith("others go on ");
            released.countDown();
            stuck.join();
            assertThat(logged(system)).hasSize(2);
        }
    }

    /** Its length, or its letters, are others each time it is asked. */
    private static final class Restless implements CharSequence {
        private final StringBuilder text;

        Restless(StringBuilder text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int begin, int end) {
            return text.subSequence(begin, end);
        }

        @Override
        public String toString() {
            text.append("more");
            return text.toString();
        }
    }

    @Test
    void aTextThatChangesWhileItIsLoggedHarmsNoOther() throws Exception {
        try (LogSystem system = LogSystem.open(config().with("pattern", "%m%n").with("full.wait", "30 s"))) {
            Log log = system.log("a");
            StringBuilder shared = new StringBuilder("x".repeat(100));
            Thread changing = Thread.ofPlatform().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    shared.setLength(1);
                    shared.append("\u20acx".repeat(50));
                }
            });
            for (int i = 0; i < 5_000; i++) {
                log.info("1 {} {}", shared, i);
                log.info("2 stays {}", i);
            }
            log.info("restless {}", new Restless(new StringBuilder()));
            changing.interrupt();
            changing.join();
            List<String> lines = logged(system);
            assertThat(lines).filteredOn(line -> line.startsWith("2 stays")).hasSize(5_000);
            assertThat(lines).contains("restless more");
        }
    }

    @Test
    void primitivesOfAllKindsAreLogged() throws IOException {
        try (LogSystem system = LogSystem.open(config().with("pattern", "%m%n"))) {
            system.log("a").info("{} {} {} {} {} {} {} {}", (byte) -1, (short) -2, 'x', -3, -4L, 1.5f, 2.5, false);
            Object[] boxed = {(byte) -1, (short) -2, 'x', -3, -4L, 1.5f, 2.5, false};
            system.log("a").log(Level.INFO, "{} {} {} {} {} {} {} {}", boxed, boxed.length);
            assertThat(logged(system))
                    .containsOnly("-1 -2 x -3 -4 1.5 2.5 false")
                    .hasSize(2);
        }
    }

    @Test
    void levelsGoByNameAndChangeWhileItRuns() throws IOException {
        try (LogSystem system = LogSystem.open(config().with("level", "warn").with("level.com.acme", "debug"))) {
            Log inside = system.log("com.acme.Orders");
            Log outside = system.log("com.acmeX");
            inside.debug("1");
            inside.trace("-");
            outside.info("-");
            outside.warn("2");
            system.level("", Level.INFO);
            outside.info("3");
            system.level("com.acme.Orders", Level.OFF);
            inside.error("-");
            system.inheritLevel("com.acme.Orders");
            inside.debug("4");
            system.inheritLevel("com.acme");
            inside.debug("-");
            assertThat(logged(system))
                    .extracting(line -> line.substring(line.indexOf(" - ") + 3).strip())
                    .containsExactly("1", "2", "3", "4");
        }
    }

    @Test
    void levelsFollowTheirFile() throws IOException {
        Path settings = folder.resolve("log.properties");
        Files.writeString(settings, "output=file\npath=" + file() + "\nlevel=info\n");
        try (LogSystem system = LogSystem.open(LogConfig.load(settings))) {
            Log log = system.log("a");
            Files.writeString(settings, "output=file\npath=" + file() + "\nlevel=debug\n");
            Files.setLastModifiedTime(settings, FileTime.fromMillis(1));
            while (log.threshold() != Level.DEBUG) {
                Thread.onSpinWait();
            }
            Files.writeString(settings, "output=file\npath=" + file() + "\nlevel=debug\nlevel.a=error\n");
            Files.setLastModifiedTime(settings, FileTime.fromMillis(3));
            while (log.threshold() != Level.ERROR) {
                Thread.onSpinWait();
            }
            Files.writeString(settings, "output=file\npath=" + file() + "\nlevel=debug\n");
            Files.setLastModifiedTime(settings, FileTime.fromMillis(4));
            while (log.threshold() != Level.DEBUG) {
                Thread.onSpinWait();
            }
            Files.writeString(settings, "levle=trace\n");
            Files.setLastModifiedTime(settings, FileTime.fromMillis(2));
            while (!Files.exists(file()) || !Files.readString(file()).contains("did you mean 'level'?")) {
                Thread.onSpinWait();
            }
            assertThat(log.threshold()).isEqualTo(Level.DEBUG);
        }
    }

    @Test
    void settingsThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("ring.szie", "1 MB"))
                .withMessage("unknown setting 'ring.szie'; did you mean 'ring.size'?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("level", "loud"))
                .withMessageContaining("trace, debug, info");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("ring.size", "3 MB"))
                .withMessageContaining("power of two");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("output", "file"))
                .withMessageContaining("set 'path'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("path", "a.log"))
                .withMessageContaining("set 'output' to file or journal");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("roll.size", "99999999999999999999 GB"))
                .withMessageContaining("roll.size is not more than");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("keep.files", "9999999999"))
                .withMessageContaining("keep.files is not more than 2147483647");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("roll.every", "sometimes"))
                .withMessageContaining("a time, as 100 ms or 7 days");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("compress", "maybe"))
                .withMessageContaining("true or false");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogConfig.console().with("output", "network"))
                .withMessageContaining("console, stderr, file, journal");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogSystem.open(config().with("format", "xml")))
                .withMessageContaining("pattern, json or logfmt");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogSystem.open(config().with("pattern", "%q")))
                .withMessageContaining("position 0");
    }

    @Test
    void livingThreadsKeepTheirNamesHoweverManyOthersLog() throws Exception {
        LogConfig config = LogConfig.file(file()).with("pattern", "[%t] %m%n").with("full.wait", "30 s");
        String name = Thread.currentThread().getName();
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("a");
            log.info("first");
            long own = Thread.currentThread().threadId();
            int others = 0;
            while (others < 6_000) {
                Thread other = Thread.ofVirtual().name("other-" + others).unstarted(() -> log.info("other"));
                // One with the same slot of the table lets this thread tell its name again anyway.
                if ((other.threadId() - own) % 1024 != 0) {
                    others++;
                    other.start();
                    other.join();
                }
            }
            log.info("last");
            assertThat(logged(system)).startsWith("[" + name + "] first").endsWith("[" + name + "] last");
        }
    }

    @Test
    void aStackThatWasUsedUpHarmsNoLaterCall() throws Exception {
        Process child = ChildJvm.of(DeepStack.class, List.of("-Xss512k"), file().toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        assertThat(Files.readAllLines(file()))
                .contains(
                        "last [" + DeepStack.class.getName()
                                + ".toString threw java.lang.UnsupportedOperationException]",
                        "and 1",
                        "java.lang.Exception: the cause");
    }

    @Test
    void aTextThatIsTooLongIsCutWithAMarkAndNotWithinACharacter() throws IOException {
        LogConfig config = LogConfig.file(file()).with("pattern", "%m%n").with("text.size", "1 KB");
        String rocket = "\ud83d\ude80";
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("a");
            log.info("{}", "x".repeat(1024));
            log.info("{}", "x".repeat(5000));
            log.info("{}", new StringBuilder("y".repeat(5000)));
            log.info("{}", "z" + rocket.repeat(1000));
            Object[] arguments = {"v".repeat(5000)};
            log.log(Level.INFO, "{}", arguments, 1);
            String mark = "... [4002 more characters]";
            assertThat(logged(system))
                    .containsExactly(
                            "x".repeat(1024),
                            "x".repeat(998) + mark,
                            "y".repeat(998) + mark,
                            "z" + rocket.repeat(498) + ".... [1003 more characters]",
                            "v".repeat(998) + mark);
        }
    }

    @Test
    void aTextIsAsLongAsTheSettingSays() throws IOException {
        LogConfig config = LogConfig.file(file()).with("pattern", "%m%n").with("text.size", "100 KB");
        String text = "x".repeat(100 << 10);
        try (LogSystem system = LogSystem.open(config)) {
            system.log("a").info("{}|{}", text, text);
            assertThat(logged(system)).containsExactly(text + "|" + text);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.with("text.size", "1 MB"))
                .withMessageContaining("an eighth of ring.size");
    }

    @Test
    void whatIsTooMuchForOneMessageIsCutAndSaysSo() throws IOException {
        LogConfig config = LogConfig.file(file())
                .with("pattern", "%m {%k}%n")
                .with("ring.size", "512 KB")
                .with("full.wait", "1 min");
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("a");
            log.info("m".repeat(1 << 20));
            Object[] arguments = new Object[201];
            arguments[0] = 7;
            for (int i = 1; i < arguments.length; i += 2) {
                arguments[i] = Arguments.key("k" + i);
                arguments[i + 1] = "v".repeat(8000);
            }
            for (int i = 0; i < 6; i++) {
                log.log(Level.INFO, "many {}", arguments, arguments.length);
            }
            List<String> lines = logged(system);
            assertThat(lines).hasSize(7);
            assertThat(lines.getFirst()).startsWith("mmm").endsWith("m... [cut] {}");
            assertThat(lines.subList(1, 7))
                    .allMatch(line -> line.startsWith("many 7 {k1=vv"))
                    .allMatch(line -> line.matches(".* left-out=8[0-9]}"));
            assertThat(system.losses().dropped()).isZero();
        }
    }

    @Test
    void aBurstAtTheStartIsNotDroppedAndHoldsUpNoCallThoughTheDeviceTakesNothing() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        ByteArrayOutputStream device = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int count) {
                try {
                    free.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.write(bytes, from, count);
            }
        };
        int count = 15_000;
        try (LogSystem system = LogSystem.open(LogConfig.console(), new PrintStream(device))) {
            Log log = system.log("a");
            for (int i = 0; i < count; i++) {
                log.info("bean {} of type {} was made", i, "com.acme.Orders");
            }
            assertThat(system.losses().dropped()).isZero();
            free.countDown();
        }
        assertThat(device.toString(StandardCharsets.UTF_8).lines()).hasSize(count);
        assertThat(LogConfig.console().fullWait()).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void aLogIsTheSameOneAsLongAsTheProgramKeepsItAndForgottenAfterwards() throws Exception {
        try (LogSystem system = LogSystem.open(config())) {
            Log kept = system.log("kept");
            for (int i = 0; i < 1_000; i++) {
                system.log("made up " + i);
            }
            Await.until("the logs that nobody keeps are forgotten", () -> {
                System.gc();
                system.log("another " + System.nanoTime());
                return system.names().size() < 100;
            });
            assertThat(system.names()).contains("kept");
            assertThat(system.log("kept")).isSameAs(kept);
            system.level("", Level.DEBUG);
            assertThat(kept.threshold()).isEqualTo(Level.DEBUG);
            assertThat(system.log("made up 1").threshold()).isEqualTo(Level.DEBUG);
        }
    }

    @Test
    void noMessageIsNullAsText() throws IOException {
        try (LogSystem system = LogSystem.open(LogConfig.file(file()).with("pattern", "%m%n"))) {
            system.log("a").info(nothing());
            system.log("a").atInfo(nothing()).add(1).log();
            assertThat(logged(system)).containsExactly("null", "null");
        }
    }

    @SuppressWarnings("NullAway")
    private static String nothing() {
        return null;
    }
}
