package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A list in files that a process changes in steps until it is killed: then it has what one of the steps has left.
 *
 * @param next does a step
 * @param after returns what the list has after a step
 * @param compare compares a list with what it is to have
 */
record KilledSteps<T>(
        Supplier<HugeListBuilder<T>> builder,
        Step<T> next,
        IntFunction<List<T>> after,
        BiConsumer<HugeList<T>, List<T>> compare) {
    private static final int KILLS = 5;
    private static final int MOST_UNREAD = 1_000;

    /** Changes a list. */
    interface Step<T> {
        void run(HugeList<T> list, int number) throws IOException;
    }

    /** In the process: does step after step, and says which ones it has done. */
    void run(Path folder) throws IOException {
        try (HugeList<T> list = builder.get().open(folder)) {
            for (int step = 0; ; step++) {
                next.run(list, step);
                System.out.println(step);
            }
        }
    }

    /** Kills processes after up to {@code steps} steps; the lists they leave go on for {@code more} steps. */
    void killAndCompare(Class<?> main, Path temp, int steps, int more) throws Exception {
        Random random = new Random();
        for (int kill = 0; kill < KILLS; kill++) {
            Path folder = temp.resolve("list" + kill);
            builder.get().create(folder).close();
            Process child = MappedListTest.child(List.of(), main, folder);
            int acknowledged = -1;
            try (BufferedReader out = child.inputReader()) {
                for (int i = random.nextInt(steps); i >= 0; i--) {
                    acknowledged = Integer.parseInt(out.readLine());
                }
            } finally {
                child.destroyForcibly().waitFor();
            }
            compare(folder, acknowledged, more);
        }
    }

    private void compare(Path folder, int acknowledged, int more) throws IOException {
        try (HugeList<T> list = builder.get().open(folder)) {
            list.verify();
            List<T> found = list.stream().toList();
            int step = acknowledged;
            while (!found.equals(after.apply(step)) && step < acknowledged + MOST_UNREAD) {
                step++;
            }
            assertThat(found).as("step %d or later", acknowledged).isEqualTo(after.apply(step));
            compare.accept(list, found);
            for (int i = 1; i <= more; i++) {
                next.run(list, step + i);
            }
            compare.accept(list, after.apply(step + more));
        }
    }
}
