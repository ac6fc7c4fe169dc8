package io.slipstream.data.container;

import static io.slipstream.data.container.ContainerFileTest.ENTRIES;
import static io.slipstream.data.container.ContainerFileTest.entries;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.container.ContainerFileTest.Entry;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writers of container files in processes of their own: one that is killed, and one that counts its garbage. */
class ContainerKillTest {
    private static final int KILLS = 5;
    private static final int MOST_COMMITS = 200;

    @TempDir
    Path temp;

    /** Appends and commits, and says how many values are committed. */
    static final class Writer {
        public static void main(String[] args) throws IOException {
            try (ContainerFileWriter<Entry> out = ContainerFileWriter.create(Path.of(args[0]), ENTRIES)) {
                for (long id = 0; ; id++) {
                    out.append(Entry.of(id));
                    if (id % 7 == 0) {
                        out.commit();
                        System.out.println(id + 1);
                    }
                }
            }
        }
    }

    @Test
    void hasEveryValueUpToTheLastCommitHoweverItsWriterIsKilled() throws Exception {
        Random random = new Random();
        for (int kill = 0; kill < KILLS; kill++) {
            Path file = temp.resolve("entries" + kill);
            Process child = ChildJvm.of(Writer.class, List.of(), file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            int acknowledged = 0;
            try (BufferedReader out = child.inputReader()) {
                for (int i = random.nextInt(MOST_COMMITS); i >= 0; i--) {
                    acknowledged = Integer.parseInt(out.readLine());
                }
            } finally {
                child.destroyForcibly().waitFor();
            }
            try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
                List<Entry> found = ContainerFileTest.rest(in);
                assertThat(found).hasSizeGreaterThanOrEqualTo(acknowledged).isEqualTo(entries(found.size()));
                assertThat(in.isComplete()).isFalse();
            }
        }
    }

    /** Writes until there is no room, tries once more, and says what went wrong. */
    static final class Filler {
        public static void main(String[] args) throws IOException {
            ContainerFileWriter<Entry> out = ContainerFileWriter.create(Path.of(args[0]), ENTRIES);
            for (long id = 0; ; id++) {
                try {
                    out.append(Entry.of(id));
                } catch (IOException full) {
                    System.out.println(id);
                    System.out.println(full.getMessage());
                    tell(out::commit);
                    tell(out::close);
                    return;
                }
            }
        }

        private static void tell(Closeable action) {
            try {
                action.close();
                System.out.println("done");
            } catch (IOException again) {
                System.out.println(again.getMessage());
            }
        }
    }

    @Test
    void aFullDiskIsSaidAndLeavesWhatIsWhole() throws Exception {
        Path file = temp.resolve("entries");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 400; exec \"$@\"", "sh"));
        command.addAll(ChildJvm.of(Filler.class, List.of(), file.toString()).command());
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> said;
        try (BufferedReader out = child.inputReader()) {
            said = out.readAllLines();
        }
        assertThat(child.waitFor()).isZero();
        assertThat(said).hasSize(4);
        assertThat(said.subList(1, 4))
                .allSatisfy(line -> assertThat(line)
                        .startsWith(file + " cannot be written: ")
                        .endsWith(". Make room or check the permissions"));
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            List<Entry> found = ContainerFileTest.rest(in);
            assertThat(found).hasSizeLessThan(Integer.parseInt(said.getFirst())).isEqualTo(entries(found.size()));
            assertThat(found).isNotEmpty();
            assertThat(in.tornBytes()).isPositive();
            assertThat(in.isComplete()).isFalse();
        }
    }

    /** Writes and reads without end, until nothing is allocated for it. */
    static final class Frugal {
        private static final int CALLS = 20_000;

        public static void main(String[] args) throws Exception {
            Path file = Path.of(args[0]);
            Entry entry = Entry.of(7);
            try (ContainerFileWriter<Entry> out = ContainerFileWriter.create(file, ENTRIES)) {
                Allocations.none(CALLS, _ -> out.append(entry));
            }
            long[] bytes = new long[1];
            try (ContainerFileReader<MemorySegment> in = ContainerFileReader.openBytes(file)) {
                Allocations.none(CALLS, _ -> bytes[0] += in.next() ? in.length() : 0);
            }
            System.out.println("none");
        }
    }

    /** In a process of its own: what other tests have taught the compiler decides what it keeps off the heap. */
    @Test
    void makesNoGarbageForAMessage() throws Exception {
        Process child = ChildJvm.of(
                        Frugal.class,
                        List.of("--add-modules", "jdk.management"),
                        temp.resolve("entries").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo("none");
        assertThat(child.waitFor()).isZero();
    }
}
