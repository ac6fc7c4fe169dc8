package io.slipstream.data.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedIndexTest {
    private static final long MISSING = -1;
    private static final PageSize TINY = new PageSize(4, 4);

    @TempDir
    Path temp;

    @Test
    void opensAgainAsItWasAtTheLastCommit() throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Long> model = new HashMap<>();
        Map<Long, Long> committed = Map.of();
        Path folder = temp.resolve("index");
        IndexFolder.create(folder, MISSING, TINY).close();
        for (int life = 0; life < 40; life++) {
            try (LongLongIndex index = LongLongIndex.open(folder)) {
                assertThat(index.asMap()).as("life %s of seed %s", life, seed).isEqualTo(committed);
                model = new HashMap<>(committed);
                for (int commit = random.nextInt(4); commit >= 0; commit--) {
                    for (int i = random.nextInt(300); i > 0; i--) {
                        long key = random.nextInt(500);
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
        try (LongLongIndex index = IndexFolder.create(folder, MISSING, TINY)) {
            for (long key = 0; key < 40; key++) {
                index.put(key, key);
            }
            index.commit();
        }
        int refused = 0;
        for (Path file : files(folder)) {
            byte[] good = Files.readAllBytes(file);
            for (int at = 0; at < good.length; at += file.endsWith("commit") ? 1 : 7) {
                byte[] bad = good.clone();
                bad[at] ^= 0x10;
                Files.write(file, bad);
                refused += opensEqually(folder) ? 0 : 1;
            }
            Files.write(file, good);
        }
        assertThat(refused).isGreaterThan(100);
    }

    @Test
    void refusesFilesThatAreCutSwappedOrGone() throws IOException {
        Path folder = temp.resolve("index");
        try (LongLongIndex index = IndexFolder.create(folder, MISSING, TINY)) {
            for (long key = 0; key < 300; key++) {
                index.put(key, key);
            }
            index.commit();
        }
        List<Path> slabs = files(folder).stream()
                .filter(file -> file.toString().contains("slab-"))
                .sorted()
                .toList();
        for (Path slab : slabs) {
            byte[] whole = Files.readAllBytes(slab);
            Files.write(slab, Arrays.copyOf(whole, whole.length / 2));
            assertThatThrownBy(() -> LongLongIndex.open(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(slab.getFileName().toString());
            Files.write(slab, whole);
        }
        Path last = slabs.getLast();
        byte[] good = Files.readAllBytes(last);
        Files.delete(last);
        assertThatThrownBy(() -> LongLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(last.toString());
        Files.write(last, good);
        Path other = folder.resolve("slab-2");
        Path aside = temp.resolve("aside");
        Files.move(other, aside);
        Files.copy(last, other, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> LongLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged");
        Files.move(aside, other, StandardCopyOption.REPLACE_EXISTING);
        LongLongIndex.open(folder).close();
    }

    @Test
    void refusesAnotherVersionOfTheFormat() throws IOException {
        Path folder = temp.resolve("index");
        LongLongIndex.create(folder, MISSING).close();
        try (FileChannel channel = FileChannel.open(folder.resolve("commit"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {9}), 8);
        }
        assertThatThrownBy(() -> LongLongIndex.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has version 9");
    }

    @Test
    void isOpenOnceAtATime() throws IOException {
        Path folder = temp.resolve("index");
        try (LongLongIndex index = LongLongIndex.create(folder, MISSING)) {
            assertThat(index.size()).isZero();
            assertThatThrownBy(() -> LongLongIndex.open(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is open already");
        }
        assertThatThrownBy(() -> LongLongIndex.create(folder, MISSING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds an index already");
    }

    @Test
    void hasTheLastCommitHoweverItIsKilled() throws Exception {
        Path folder = temp.resolve("index");
        IndexFolder.create(folder, MISSING, TINY).close();
        SplittableRandom random = new SplittableRandom();
        for (int kill = 0; kill < 5; kill++) {
            Process child = child(List.of(), folder);
            long acknowledged = -1;
            int lines = 1 + random.nextInt(40);
            try (BufferedReader out = child.inputReader()) {
                for (int i = 0; i < lines; i++) {
                    acknowledged = Long.parseLong(out.readLine());
                }
                child.destroyForcibly().waitFor();
            }
            try (LongLongIndex index = LongLongIndex.open(folder)) {
                long size = index.size();
                assertThat(size).isGreaterThanOrEqualTo(acknowledged).isEqualTo(size / 20 * 20);
                for (long key = 0; key < size; key++) {
                    assertThat(index.get(key)).isEqualTo(key + 1);
                }
            }
        }
    }

    @Test
    void saysWhenTheDiskIsFullAndKeepsItsLastCommit() throws Exception {
        Path folder = temp.resolve("index");
        LongLongIndex.create(folder, MISSING).close();
        Process child = child(List.of("sh", "-c", "ulimit -f 2000; exec \"$@\"", "sh"), folder);
        String last = "";
        try (BufferedReader out = child.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
            }
        }
        assertThat(child.waitFor()).isEqualTo(3);
        assertThat(last).contains("cannot create").contains("slab-");
        try (LongLongIndex index = LongLongIndex.open(folder)) {
            assertThat(index.size()).isPositive();
        }
    }

    private static Process child(List<String> before, Path folder) throws IOException {
        List<String> command = new java.util.ArrayList<>(before);
        String modules = System.getProperty("jdk.module.path");
        String paths = System.getProperty("java.class.path") + (modules == null ? "" : ":" + modules) + ":"
                + Path.of("target/classes").toAbsolutePath()
                + ":" + Path.of("target/test-classes").toAbsolutePath() + ":"
                + Path.of("../core/target/classes").toAbsolutePath();
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                paths,
                Appender.class.getName(),
                folder.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> !file.endsWith("lock")).toList();
        }
    }

    /** What was flipped may be in a page that nobody needs; then all must be as it was. */
    private static boolean opensEqually(Path folder) {
        try (LongLongIndex index = LongLongIndex.open(folder)) {
            assertThat(index.size()).isEqualTo(40);
            for (long key = 0; key < 40; key++) {
                assertThat(index.get(key)).isEqualTo(key);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Puts ever more keys, commits after every twentieth, and says how many there are. */
    static final class Appender {
        public static void main(String[] args) throws IOException {
            try (LongLongIndex index = LongLongIndex.open(Path.of(args[0]))) {
                for (long key = index.size(); ; key++) {
                    if (key % 20 == 0) {
                        index.commit();
                        System.out.println(key);
                    }
                    index.put(key, key + 1);
                }
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
                System.exit(3);
            }
        }
    }
}
