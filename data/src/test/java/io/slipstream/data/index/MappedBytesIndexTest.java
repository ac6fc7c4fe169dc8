package io.slipstream.data.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedBytesIndexTest {
    private static final long MISSING = Long.MIN_VALUE;

    @TempDir
    Path temp;

    @Test
    void createsAnIndexWhereAProcessWasKilledWhileItCreatedOne() throws IOException {
        Path folder = temp.resolve("index");
        LongLongIndex.create(Files.createDirectories(folder).resolve("hashes"), BytesLongIndex.NO_HEAD)
                .close();
        assertThatThrownBy(() -> BytesLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("create it again");
        try (BytesLongIndex index = BytesLongIndex.create(folder, MISSING)) {
            index.put("key", 7);
            index.commit();
        }
        try (BytesLongIndex index = BytesLongIndex.open(folder)) {
            assertThat(index.get("key")).isEqualTo(7);
        }
        assertThatThrownBy(() -> BytesLongIndex.create(folder, MISSING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds an index already");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void opensAgainAsItWasAtTheLastCommit(boolean isColliding) throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Long> committed = Map.of();
        Path folder = temp.resolve("index");
        BytesLongIndex.create(folder, MISSING, isColliding ? BytesLongIndexTest.COLLIDING : KeyHash.random())
                .close();
        for (int life = 0; life < 20; life++) {
            try (BytesLongIndex index = BytesLongIndex.open(folder)) {
                assertThat(index.missing()).isEqualTo(MISSING);
                assertThat(index.asMap()).as("life %s of seed %s", life, seed).isEqualTo(committed);
                assertThat(index.size()).isEqualTo(committed.size());
                Map<String, Long> model = new HashMap<>(committed);
                for (int commit = random.nextInt(4); commit >= 0; commit--) {
                    for (int i = random.nextInt(200); i > 0; i--) {
                        int number = random.nextInt(isColliding ? 20 : 300);
                        String key =
                                isColliding ? BytesLongIndexTest.colliding(number) : BytesLongIndexTest.key(number);
                        if (random.nextInt(3) == 0) {
                            index.remove(key);
                            model.remove(key);
                        } else {
                            index.put(key, i);
                            model.put(key, (long) i);
                        }
                    }
                    if (commit > 0) {
                        index.commit();
                        committed = Map.copyOf(model);
                    }
                }
                assertThat(index.asMap()).as("life %s of seed %s", life, seed).isEqualTo(model);
            }
        }
    }

    @Test
    void findsEveryFlippedByteOfWhatWasCommitted() throws IOException {
        Path folder = temp.resolve("index");
        filled(folder, 40);
        Path keys = folder.resolve("keys-0");
        byte[] good = Files.readAllBytes(keys);
        int refused = 0;
        for (int at = 0; at < 3_000; at += 3) {
            byte[] bad = good.clone();
            bad[at] ^= 0x10;
            Files.write(keys, bad);
            try (BytesLongIndex index = BytesLongIndex.open(folder)) {
                assertThat(index.size()).isEqualTo(40);
                for (int i = 0; i < 40; i++) {
                    assertThat(index.get(BytesLongIndexTest.key(i)))
                            .as("byte %s", at)
                            .isEqualTo(i);
                }
            } catch (IOException e) {
                refused++;
                assertThat(e.getMessage()).contains(keys.toString()).contains("is damaged");
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void refusesFilesThatAreCutSwappedOrGone() throws IOException {
        Path folder = temp.resolve("index");
        filled(folder, 6_000);
        Path first = folder.resolve("keys-0");
        byte[] good = Files.readAllBytes(first);
        Files.write(first, Arrays.copyOf(good, 100));
        assertThatThrownBy(() -> BytesLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it has 100 bytes instead of");
        Files.delete(first);
        assertThatThrownBy(() -> BytesLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("keys-0");
        Path other = temp.resolve("other");
        try (BytesLongIndex index = BytesLongIndex.create(other, MISSING)) {
            for (int i = 0; i < 6_000; i++) {
                index.put(BytesLongIndexTest.key(i), i + 1);
            }
            index.commit();
        }
        Files.copy(other.resolve("keys-0"), first);
        assertThatThrownBy(() -> BytesLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged");
        Files.write(first, good);
        try (BytesLongIndex index = BytesLongIndex.open(folder)) {
            assertThat(index.size()).isEqualTo(6_000);
            assertThatThrownBy(() -> BytesLongIndex.open(folder)).hasMessageContaining("is open already");
        }
        assertThatThrownBy(() -> BytesLongIndex.open(temp.resolve("nowhere")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no index");
    }

    @Test
    void hasTheLastCommitHoweverItIsKilled() throws Exception {
        Path folder = temp.resolve("index");
        BytesLongIndex.create(folder, MISSING).close();
        SplittableRandom random = new SplittableRandom();
        for (int kill = 0; kill < 5; kill++) {
            Process child = child(List.of(), folder);
            long acknowledged = -1;
            try (BufferedReader out = child.inputReader()) {
                for (int i = random.nextInt(40); i >= 0; i--) {
                    acknowledged = Long.parseLong(out.readLine());
                }
                child.destroyForcibly().waitFor();
            }
            try (BytesLongIndex index = BytesLongIndex.open(folder)) {
                long round = index.get("round");
                assertThat(round).isGreaterThanOrEqualTo(acknowledged);
                for (int i = 0; i < 20; i++) {
                    assertThat(index.get(BytesLongIndexTest.key(i))).isEqualTo(round + i);
                }
                assertThat(index.size()).isEqualTo(22);
                assertThat(index.get("made in " + round)).isEqualTo(1);
            }
        }
    }

    @Test
    void saysWhenTheDiskIsFullAndKeepsItsLastCommit() throws Exception {
        Path folder = temp.resolve("index");
        BytesLongIndex.create(folder, MISSING).close();
        Process child = child(List.of("sh", "-c", "ulimit -f 9000; exec \"$@\"", "sh"), folder, "grow");
        String last = "";
        try (BufferedReader out = child.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
            }
        }
        assertThat(child.waitFor()).isEqualTo(3);
        assertThat(last).contains("cannot create").contains("keys-");
        try (BytesLongIndex index = BytesLongIndex.open(folder)) {
            for (int i = 0; i < index.size(); i++) {
                assertThat(index.get("a key of the disk " + i)).isEqualTo(i);
            }
            assertThat(index.size()).isPositive();
        }
    }

    private static void filled(Path folder, int keys) throws IOException {
        try (BytesLongIndex index = BytesLongIndex.create(folder, MISSING)) {
            for (int i = 0; i < keys; i++) {
                index.put(BytesLongIndexTest.key(i), i);
            }
            index.commit();
        }
    }

    private static Process child(List<String> before, Path folder, String... more) throws IOException {
        List<String> command = new ArrayList<>(before);
        String modules = System.getProperty("jdk.module.path");
        String paths = System.getProperty("java.class.path") + (modules == null ? "" : ":" + modules) + ":"
                + Path.of("target/classes").toAbsolutePath() + ":"
                + Path.of("target/test-classes").toAbsolutePath()
                + ":" + Path.of("../core/target/classes").toAbsolutePath();
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                paths,
                Writer.class.getName(),
                folder.toString()));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Overwrites the same keys in every commit and replaces one, or only adds; says what was committed. */
    static final class Writer {
        public static void main(String[] args) throws IOException {
            try (BytesLongIndex index = BytesLongIndex.open(Path.of(args[0]))) {
                for (long i = 0; args.length > 1; i++) {
                    if (i % 10_000 == 0) {
                        index.commit();
                    }
                    index.put("a key of the disk " + i, i);
                }
                for (long round = Math.max(0, index.get("round")) + 1; ; round++) {
                    for (int i = 0; i < 20; i++) {
                        index.put(BytesLongIndexTest.key(i), round + i);
                    }
                    index.remove("made in " + (round - 1));
                    index.put("made in " + round, 1);
                    index.put("round", round);
                    index.commit();
                    System.out.println(round);
                }
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
                System.exit(3);
            }
        }
    }
}
