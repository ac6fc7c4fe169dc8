package io.slipstream.core.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.thread.SampledCounters;
import io.slipstream.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersTest {
    @TempDir
    private Path folder;

    @Test
    void showsWhatWasWrittenWhileItIsOpenAndAfterwards() throws IOException {
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, 4)) {
            Counter depth = counters.add(CounterType.DEPTH, "input", "depth of the ring");
            counters.add(CounterType.CAPACITY, "input", "capacity").setRelease(64);
            depth.setRelease(5);
            depth.addRelease(2);
            try (CountersReader reader = CountersReader.open(file)) {
                assertThat(reader.read())
                        .containsExactly(
                                new CounterValue("input", "depth of the ring", CounterType.DEPTH, 7),
                                new CounterValue("input", "capacity", CounterType.CAPACITY, 64));
                assertThat(reader.isAlive()).isTrue();
                assertThat(reader.pid()).isEqualTo(ProcessHandle.current().pid());
            }
        }
        try (CountersReader reader = CountersReader.open(file)) {
            assertThat(reader.read()).hasSize(2);
            assertThat(reader.isAlive()).isFalse();
            assertThat(reader.ended()).isPresent();
        }
    }

    @Test
    void theDefaultFileOfAProcessIsDeletedWhenItIsClosed() throws IOException {
        Path file = Counters.defaultFile(ProcessHandle.current().pid());
        try (Counters counters = Counters.createDefault(1)) {
            assertThat(counters.file()).isEqualTo(file).exists();
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void theDefaultFilesOfKilledProcessesAreRemovedAndThoseOfOthersStay() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Process alive = new ProcessBuilder("cat").start();
        try {
            Path left = Files.createFile(folder.resolve("slipstream-" + dead.pid() + ".counters"));
            Path used = Files.createFile(folder.resolve("slipstream-" + alive.pid() + ".counters"));
            Path strange = Files.createFile(folder.resolve("slipstream-report.counters"));
            // As that of a process in another container is: its number says nothing, and its lock all.
            try (FileChannel locked = DefaultFile.lock(left)) {
                assertThat(locked).isNotNull();
                DefaultFile.removeThoseOfTheDead(folder, 0);
                assertThat(left).exists();
            }
            DefaultFile.removeThoseOfTheDead(folder, 1);
            assertThat(left).exists();
            DefaultFile.removeThoseOfTheDead(folder, 0);
            assertThat(left).doesNotExist();
            assertThat(used).exists();
            assertThat(strange).exists();
        } finally {
            alive.destroyForcibly();
        }
    }

    @Test
    void theDefaultFileOfAProcessIsNotTakenAwayFromItsOwner() throws IOException {
        try (Counters counters = Counters.createDefault(1)) {
            assertThatThrownBy(() -> Counters.createDefault(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(counters.file().toString())
                    .hasMessageContaining("open in this process already");
            assertThat(counters.file()).exists();
        }
        try (Counters next = Counters.createDefault(1)) {
            assertThat(next.file()).exists();
        }
    }

    @Test
    void theDefaultFileOfAProcessIsDeletedWhenItEndsWithoutClosingIt() throws Exception {
        Process process = countingProcess();
        Path file = Counters.defaultFile(process.pid());
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("counted");
            try (CountersReader reader = CountersReader.open(file)) {
                assertThat(reader.isAlive()).isTrue();
                process.getOutputStream().close();
                Await.exitCode(process);
                assertThat(reader.ended()).isPresent();
            }
            assertThat(file).doesNotExist();
        } finally {
            process.destroyForcibly().waitFor();
            Files.deleteIfExists(file);
        }
    }

    @Test
    void canBeReadAfterItsProcessWasKilled() throws Exception {
        Path file = folder.resolve("killed");
        Process process = countingProcess(file.toString());
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("counted");
        } finally {
            process.destroyForcibly();
        }
        Await.exitCode(process);
        try (CountersReader reader = CountersReader.open(file)) {
            assertThat(reader.read()).containsExactly(new CounterValue("child", "events", CounterType.COUNT, 1000));
            assertThat(reader.isAlive()).isFalse();
            assertThat(reader.ended()).isEmpty();
        }
    }

    @Test
    void refusesAnythingThatIsNotAWholeCountersFile() throws IOException {
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, 2)) {
            counters.add(CounterType.COUNT, "a", "b");
        }
        byte[] good = Files.readAllBytes(file);
        Path bad = folder.resolve("bad");
        Files.write(bad, java.util.Arrays.copyOf(good, good.length - 1));
        assertThatThrownBy(() -> CountersReader.open(bad))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged");
        byte[] newer = good.clone();
        newer[CounterLayout.VERSION_AT] = 9;
        Files.write(bad, newer);
        assertThatThrownBy(() -> CountersReader.open(bad)).hasMessageContaining("has version 9");
        Files.write(bad, "hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> CountersReader.open(bad)).hasMessageContaining("is not a counters file");
        byte[] text = good.clone();
        text[(int) CounterLayout.descriptor(0) + CounterLayout.LABEL_LENGTH_AT + 3] = 1;
        Files.write(bad, text);
        try (CountersReader reader = CountersReader.open(bad)) {
            assertThatThrownBy(reader::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a text of counter 0");
        }
    }

    @Test
    void neitherCrashesNorHangsOnDamagedBytes() throws IOException {
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, 2)) {
            counters.add(CounterType.COUNT, "owner", "label");
        }
        byte[] good = Files.readAllBytes(file);
        long seed = 42;
        SplittableRandom random = new SplittableRandom(seed);
        Path bad = folder.resolve("bad");
        for (int i = 0; i < 300; i++) {
            byte[] bytes = good.clone();
            bytes[random.nextInt(bytes.length / 2)] = (byte) random.nextInt();
            Files.write(bad, bytes);
            try (CountersReader reader = CountersReader.open(bad)) {
                assertThat(reader.read()).hasSizeLessThanOrEqualTo(2);
            } catch (IOException e) {
                assertThat(e).as("seed " + seed + ", round " + i).hasMessageContaining("bad");
            }
        }
    }

    @Test
    void showsOnlyWholeCountersToAReaderBesideTheOneThatAddsThem() throws Exception {
        int places = 2_000;
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, places);
                CountersReader reader = CountersReader.open(file)) {
            Thread owner = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < places; i++) {
                    counters.add(CounterType.POSITION, "owner " + i, "label " + i)
                            .setRelease(i);
                }
            });
            int seen = 0;
            while (seen < places) {
                List<CounterValue> values = reader.read();
                assertThat(values.size()).isGreaterThanOrEqualTo(seen);
                for (int i = seen; i < values.size(); i++) {
                    CounterValue value = values.get(i);
                    assertThat(value.owner()).isEqualTo("owner " + i);
                    assertThat(value.label()).isEqualTo("label " + i);
                    assertThat(value.type()).isEqualTo(CounterType.POSITION);
                    assertThat(value.value()).isIn(0L, (long) i);
                }
                seen = values.size();
            }
            owner.join();
        }
    }

    @Test
    void givesThePlaceOfAFreedCounterToTheNextAndShowsThemInTheOrderOfTheirAddition() throws IOException {
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, 3);
                CountersReader reader = CountersReader.open(file)) {
            Counter first = counters.add(CounterType.COUNT, "a", "first");
            counters.add(CounterType.CAPACITY, "a", "second").setRelease(2);
            Counter third = counters.add(CounterType.COUNT, "a", "third");
            first.setRelease(1);
            counters.free(first);
            assertThat(reader.read()).extracting(CounterValue::label).containsExactly("second", "third");
            counters.add(CounterType.LAG, "b", "fourth");
            counters.free(third);
            assertThat(reader.read())
                    .containsExactly(
                            new CounterValue("a", "second", CounterType.CAPACITY, 2),
                            new CounterValue("b", "fourth", CounterType.LAG, 0));
        }
    }

    @Test
    void refusesToFreeACounterTwiceOrThatOfAnotherFile() throws IOException {
        Counters counters = Counters.create(folder.resolve("c"), 1);
        Counter counter = counters.add(CounterType.COUNT, "a", "b");
        try (Counters others = Counters.create(folder.resolve("d"), 1)) {
            assertThatThrownBy(() -> others.free(counter))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not one of");
        }
        counters.free(counter);
        assertThatThrownBy(() -> counters.free(counter))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed already");
        Counter last = counters.add(CounterType.COUNT, "a", "c");
        counters.close();
        counters.free(last);
        assertThat(counters.isOpen()).isFalse();
    }

    /**
     * Each counter has one text for its owner and its label, the longer the higher its number; a mixture of two is none
     * of them.
     */
    @Test
    void showsNoMixtureOfTwoCountersThatHadTheSamePlace() throws Exception {
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, 2);
                CountersReader reader = CountersReader.open(file)) {
            counters.add(CounterType.COUNT, "stays", "stays");
            Thread owner = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50_000; i++) {
                    String text = text(i % 70);
                    Counter counter = counters.add(CounterType.COUNT, text, text);
                    counter.setRelease(text.length());
                    counters.free(counter);
                }
            });
            int looks = 0;
            while (owner.isAlive() || looks == 0) {
                List<CounterValue> values = reader.read();
                assertThat(values.getFirst().owner()).isEqualTo("stays");
                values.stream().skip(1).forEach(CountersTest::requireWhole);
                looks++;
            }
            owner.join();
        }
    }

    @Test
    void theCheckOfMixturesNoticesOne() {
        assertThatThrownBy(() -> requireWhole(new CounterValue(text(3), text(4), CounterType.COUNT, 0)))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> requireWhole(new CounterValue(text(3), text(3), CounterType.COUNT, 1)))
                .isInstanceOf(AssertionError.class);
    }

    private static String text(int number) {
        return Character.toString('A' + number % 26).repeat(number + 1);
    }

    private static void requireWhole(CounterValue counter) {
        assertThat(counter.owner()).isEqualTo(text(counter.owner().length() - 1));
        assertThat(counter.label()).isEqualTo(counter.owner());
        assertThat(counter.value()).isIn(0L, (long) counter.owner().length());
    }

    @Test
    void saysThatAllPlacesAreTakenOrATextIsTooLong() throws IOException {
        try (Counters counters = Counters.create(folder.resolve("c"), 1)) {
            assertThatThrownBy(() -> counters.add(CounterType.COUNT, "x".repeat(81), ""))
                    .hasMessageContaining("80 bytes");
            counters.add(CounterType.COUNT, "a", "b");
            assertThatThrownBy(() -> counters.add(CounterType.COUNT, "a", "c")).hasMessageContaining("all 1 places");
        }
    }

    @Test
    void replacesTheFileThatAKilledProcessLeft() throws Exception {
        Path file = folder.resolve("killed");
        Process process = countingProcess(file.toString());
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("counted");
            assertThatThrownBy(() -> Counters.create(file, 2))
                    .as("its owner lives")
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + " is in use by")
                    .hasMessageContaining("end that one, or create another file");
            try (CountersReader reader = CountersReader.open(file)) {
                assertThat(reader.read()).hasSize(1);
            }
        } finally {
            process.destroyForcibly();
        }
        Await.exitCode(process);
        try (Counters counters = Counters.create(file, 2);
                CountersReader reader = CountersReader.open(file)) {
            assertThat(reader.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(reader.read()).isEmpty();
            assertThatThrownBy(() -> Counters.create(file, 2))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + " is in use by");
            counters.add(CounterType.COUNT, "a", "b").setRelease(3);
            assertThat(reader.read()).containsExactly(new CounterValue("a", "b", CounterType.COUNT, 3));
        }
    }

    @Test
    void replacesAFileThatWasClosedAndNeverOneOfOthers() throws IOException {
        Path file = folder.resolve("c");
        Counters.create(file, 1).close();
        try (Counters counters = Counters.create(file, 4)) {
            assertThat(counters.file()).hasSize(CounterLayout.fileBytes(4));
        }
        Path foreign = Files.writeString(folder.resolve("letter"), "x".repeat(10_000));
        assertThatThrownBy(() -> Counters.create(foreign, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a counters file");
        assertThat(foreign).hasContent("x".repeat(10_000));
    }

    @Test
    void refusesToCopyWithoutEnd() throws IOException {
        try (Counters counters = Counters.create(folder.resolve("c"), 1)) {
            for (Duration interval : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
                assertThatThrownBy(() -> new SampledCounters<>(() -> "", counters, "orders", interval))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("must be positive, not " + interval)
                        .hasMessageContaining("orders");
            }
        }
    }

    @Test
    void anIntervalOfMoreThanALifeCopiesOnce() throws IOException {
        try (Counters counters = Counters.create(folder.resolve("c"), 1)) {
            SampledCounters<String> duty =
                    new SampledCounters<>(() -> "", counters, "orders", Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(duty.work()).isEqualTo(1);
            assertThat(duty.work()).isZero();
        }
    }

    @Test
    void aSamplerThatFindsTooFewPlacesGivesThoseBackThatItHasTaken() throws IOException {
        Path file = folder.resolve("c");
        try (Counters counters = Counters.create(file, 3);
                CountersReader reader = CountersReader.open(file)) {
            counters.add(CounterType.COUNT, "other", "stays");
            SampledCounters<String> sampler = new SampledCounters<>(() -> "", counters, "sampled", Duration.ofNanos(1));
            sampler.add(CounterType.COUNT, "a", String::length).add(CounterType.COUNT, "b", String::length);
            assertThatThrownBy(() -> sampler.add(CounterType.COUNT, "c", String::length))
                    .hasMessageContaining("all 3 places");
            sampler.copy();
            assertThat(reader.read()).extracting(CounterValue::label).containsExactly("stays");
        }
    }

    private static Process countingProcess(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-cp",
                location(Counters.class) + File.pathSeparator + location(CountingProcess.class),
                CountingProcess.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String location(Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        String url = String.valueOf(type.getResource("/" + name));
        return Path.of(url.substring(url.indexOf('/'), url.length() - name.length()))
                .toString();
    }
}
