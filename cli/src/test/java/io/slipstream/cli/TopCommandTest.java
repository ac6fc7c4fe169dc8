package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.executor.ExecutorCounters;
import io.slipstream.core.executor.LockFreeExecutor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TopCommandTest {
    @TempDir
    private Path folder;

    @Test
    void marksAQueueThatIsSeventyPercentFull() throws IOException {
        Path file = folder.resolve("counters");
        try (Counters counters = Counters.create(file, 4)) {
            counters.add(CounterType.CAPACITY, "input", "capacity").setRelease(1000);
            counters.add(CounterType.DEPTH, "input", "depth").setRelease(700);
            counters.add(CounterType.LAG, "input", "lag of logic").setRelease(699);
            assertThat(run(file, "--once"))
                    .contains("depth", " 70 %  <<< ALERT", "running")
                    .containsOnlyOnce("ALERT");
            assertThat(run(file, "--once", "--json"))
                    .contains("{\"owner\":\"input\",\"label\":\"depth\","
                            + "\"type\":\"DEPTH\",\"value\":700,\"alert\":true}");
        }
        assertThat(run(file)).contains("GONE");
    }

    @Test
    void measuresEachDepthOfAnExecutorAgainstItsOwnCapacity() throws IOException {
        Path file = folder.resolve("counters");
        try (Counters counters = Counters.create(file, 32);
                LockFreeExecutor executor =
                        LockFreeExecutor.builder().capacity(1024).maxTimers(10).build()) {
            for (int i = 0; i < 7; i++) {
                executor.schedule(() -> {}, 1, TimeUnit.HOURS);
            }
            new ExecutorCounters(executor, counters, "orders", Duration.ofNanos(1));
            executor.shutdownNow();
            assertThat(run(file, "--once").lines())
                    .filteredOn(line -> line.contains("ALERT"))
                    .singleElement()
                    .asString()
                    .contains("timers", " 70 %  <<< ALERT");
            assertThat(run(file, "--once", "--json"))
                    .contains(
                            "{\"owner\":\"orders\",\"label\":\"timers\",\"type\":\"DEPTH\",\"value\":7,\"alert\":true}",
                            "\"label\":\"depth\",\"type\":\"DEPTH\",\"value\":0,\"alert\":false")
                    .containsOnlyOnce("\"alert\":true");
        }
    }

    @Test
    void measuresADepthThatWasAddedBeforeItsCapacity() throws IOException {
        Path file = folder.resolve("counters");
        try (Counters counters = Counters.create(file, 2)) {
            counters.add(CounterType.DEPTH, "input", "depth").setRelease(7);
            counters.add(CounterType.CAPACITY, "input", "capacity").setRelease(10);
            assertThat(run(file, "--once")).contains(" 70 %  <<< ALERT");
        }
    }

    @Test
    void measuresEqualCountersEachAgainstItsOwnCapacity() throws IOException {
        Path file = folder.resolve("counters");
        try (Counters counters = Counters.create(file, 4)) {
            for (long capacity : new long[] {10, 1000}) {
                counters.add(CounterType.CAPACITY, "input", "capacity").setRelease(capacity);
                counters.add(CounterType.DEPTH, "input", "depth").setRelease(8);
            }
            assertThat(run(file, "--once")).contains("80 %  <<< ALERT", "  1 %").containsOnlyOnce("ALERT");
            assertThat(run(file, "--once", "--json"))
                    .contains("\"value\":8,\"alert\":true},", "\"value\":8,\"alert\":false}]");
        }
    }

    /** Going through all counters again for each of them would be thousands of reads of each. */
    @Test
    void readsEachOfManyCountersAFewTimes() {
        List<CounterValue> counters = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            counters.add(new CounterValue(
                    "owner " + i % 10,
                    "counter",
                    i < 10 ? CounterType.CAPACITY : CounterType.DEPTH,
                    i < 10 ? 100 : 80));
        }
        AtomicLong reads = new AtomicLong();
        List<CounterValue> counted = new AbstractList<>() {
            @Override
            public CounterValue get(int index) {
                reads.incrementAndGet();
                return counters.get(index);
            }

            @Override
            public int size() {
                return counters.size();
            }
        };
        CountersView view = new CountersView(1, true, Instant.EPOCH, counted);
        assertThat(view.text().split("ALERT", -1)).hasSize(counters.size() - 10 + 1);
        assertThat(view.json().split("\"alert\":true", -1)).hasSize(counters.size() - 10 + 1);
        assertThat(reads.get()).isLessThan(10L * counters.size());
    }

    @Test
    void showsNoControlCharactersOfOthersAndTakesAnEmptyLabel() throws IOException {
        Path file = folder.resolve("counters");
        try (Counters counters = Counters.create(file, 2)) {
            counters.add(CounterType.COUNT, "own\u001b[2Jer", "").setRelease(5);
            assertThat(run(file, "--once")).contains("own?[2Jer", "5");
        }
    }

    @Test
    void showsNothingThatTurnsOrBreaksALine() throws IOException {
        Path file = folder.resolve("counters");
        try (Counters counters = Counters.create(file, 2)) {
            counters.add(CounterType.COUNT, "o\u202Ewn\u0085er", "la\u2028b\u2029e\"l\\\uDB40\uDC01")
                    .setRelease(5);
            assertThat(run(file, "--once")).contains("o?wn?er", "la?b?e\"l\\?");
            assertThat(run(file, "--once", "--json"))
                    .contains("{\"owner\":\"o\\u202ewn\\u0085er\","
                            + "\"label\":\"la\\u2028b\\u2029e\\\"l\\\\\\udb40\\udc01\",");
        }
    }

    /** The file names a process that is not there, as that of a container seems to. */
    @Test
    void goesOnWhileTheValuesOfAProcessThatItCannotSeeChange() throws Exception {
        Path file = folder.resolve("counters");
        StringWriter out = new StringWriter();
        try (Counters counters = Counters.create(file, 1)) {
            Counter counter = counters.add(CounterType.COUNT, "owner", "label");
            nameProcess(file, 1L << 40);
            Thread top = Thread.ofPlatform()
                    .start(() -> Main.commandLine()
                            .setOut(new PrintWriter(out))
                            .execute("top", file.toString(), "--interval", "500"));
            while (out.toString().split("running", -1).length < 3) {
                assertThat(top.isAlive()).as(out.toString()).isTrue();
                counter.addRelease(1);
                Thread.yield();
            }
            top.join();
        }
        assertThat(out.toString().strip().lines().filter(line -> line.contains("process ")))
                .last()
                .asString()
                .contains("GONE");
    }

    private static void nameProcess(Path file, long pid) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(0, pid),
                    16);
        }
    }

    @Test
    void namesADirectoryThatIsNoCountersFile() {
        StringWriter said = new StringWriter();
        assertThat(Main.commandLine().setErr(new PrintWriter(said)).execute("top", folder.toString(), "--once"))
                .isEqualTo(1);
        assertThat(said.toString()).startsWith("slipstream: " + folder + " is a directory, not a counters file");
    }

    private static String run(Path file, String... options) {
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out));
        String[] arguments = new String[options.length + 2];
        arguments[0] = "top";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        assertThat(line.execute(arguments)).isZero();
        return out.toString();
    }
}
