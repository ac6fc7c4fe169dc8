package io.slipstream.data.list;

import static io.slipstream.data.list.RemovalTest.add;
import static io.slipstream.data.list.RemovalTest.assertIs;
import static io.slipstream.data.list.RemovalTest.builder;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.list.RemovalTest.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list in files has all elements or none of those that are removed, however its process ends. */
class RemovalKillTest {
    private static final KilledSteps<Entry> STEPS = new KilledSteps<>(
            () -> builder(ListLayout.ROWS), RemovalKillTest::next, RemovalKillTest::after, RemovalTest::assertIs);

    @TempDir
    Path temp;

    @Test
    void whatIsInTheFolderAfterEachStepIsTheListWithAllOrWithNone() throws IOException {
        Path folder = temp.resolve("list");
        List<Entry> all = new ArrayList<>();
        try (HugeList<Entry> list = builder(ListLayout.ROWS).create(folder)) {
            add(list, all, 300, 0);
            list.commit();
            Removal<Entry> removal = list.removal(entry -> entry.value() % 4 == 1);
            int steps = 0;
            boolean isLeft = true;
            while (isLeft) {
                isLeft = removal.step(20);
                assertKilledIs("step" + steps++, folder, all);
            }
            Path before = copy(folder, "before");
            removal.finish();
            List<Entry> left =
                    all.stream().filter(entry -> entry.value() % 4 != 1).toList();
            assertKilledIs("after", folder, left);
            // Killed before the former files were deleted: all files of before, and those of the commit.
            copyInto(folder, before);
            assertKilledIs("between", before, left);
        }
    }

    private void assertKilledIs(String name, Path folder, List<Entry> model) throws IOException {
        Path killed = copy(folder, name);
        for (int life = 0; life < 2; life++) {
            try (HugeList<Entry> list = builder(ListLayout.ROWS).open(killed)) {
                list.verify();
                assertIs(list, model);
                // What a removal left that did not come to its end, or what it came to the end of.
                try (Stream<Path> files = Files.list(killed)) {
                    assertThat(files.map(file -> BlockFiles.generationOf(
                                            file.getFileName().toString()))
                                    .filter(generation -> generation >= 0)
                                    .distinct())
                            .hasSize(1);
                }
                assertThat(list.removeIf(_ -> false)).isZero();
            }
        }
    }

    private Path copy(Path folder, String name) throws IOException {
        Path to = temp.resolve(name);
        copyInto(folder, to);
        return to;
    }

    private static void copyInto(Path folder, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(folder.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.write(target, Files.readAllBytes(file));
                }
            }
        }
    }

    /** Each step adds a hundred, and removes what leaves this rest by seven. */
    private static boolean isTaken(long value, int step) {
        return value % 7 == step % 7 && value % 50 != 0;
    }

    private static List<Entry> after(int last) {
        List<Entry> model = new ArrayList<>();
        for (int step = 0; step <= last; step++) {
            int number = step;
            for (long value = step * 100L; value < step * 100L + 100; value++) {
                model.add(Entry.of(value));
            }
            model.removeIf(entry -> isTaken(entry.value(), number));
        }
        return model;
    }

    private static void next(HugeList<Entry> list, int step) throws IOException {
        for (long value = step * 100L; value < step * 100L + 100; value++) {
            list.add(Entry.of(value));
        }
        try (Removal<Entry> removal = list.removal(entry -> isTaken(entry.value(), step))) {
            while (removal.step(30)) {
                // Goes on.
            }
            removal.finish();
        }
    }

    @Test
    void hasAllElementsOrNoneThatAreRemovedHoweverItIsKilled() throws Exception {
        STEPS.killAndCompare(Remover.class, temp, 30, 1);
    }

    /** Adds and removes in turn, and says which steps it has done. */
    static final class Remover {
        public static void main(String[] args) throws IOException {
            STEPS.run(Path.of(args[0]));
        }
    }
}
