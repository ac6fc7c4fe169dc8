package io.slipstream.data.list;

import io.slipstream.data.list.TruncateTest.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list in files that is sealed, and changed after that, opens with one of its commits, however its process ends. */
class SealKillTest {
    private static final KilledSteps<Entry> STEPS = new KilledSteps<>(
            () -> TruncateTest.builder(ListLayout.COLUMNS),
            SealKillTest::next,
            SealKillTest::after,
            TruncateTest::assertIs);

    @TempDir
    Path temp;

    @Test
    void hasAllElementsOfACommitHoweverItIsKilled() throws Exception {
        STEPS.killAndCompare(Sealer.class, temp, 60, 5);
    }

    /** Returns what the list holds after a step. */
    private static List<Entry> after(int last) {
        List<Entry> model = new ArrayList<>();
        for (int step = 0; step <= last; step++) {
            int size = sizeAfter(step, model.size());
            while (model.size() < size) {
                model.add(Entry.of(model.size(), step));
            }
            model.subList(size, model.size()).clear();
        }
        return model;
    }

    /** Of five steps, three add rows and seal, one seals only, and one truncates. */
    private static int sizeAfter(int step, int before) {
        return switch (step % 5) {
            case 3 -> before;
            case 4 -> before * (step * 37 % 10) / 10;
            default -> before + step * 53 % 200;
        };
    }

    private static void next(HugeList<Entry> list, int step) throws IOException {
        int size = sizeAfter(step, (int) list.size());
        if (size < list.size()) {
            list.truncate(size);
            return;
        }
        if (step % 5 == 3) {
            // Unseals each block, with the values that it has.
            for (int row = 0; row < size; row += 64) {
                list.set(row, list.get(row));
            }
            list.commit();
        }
        while (list.size() < size) {
            list.add(Entry.of(list.size(), step));
        }
        list.seal();
        list.commit();
    }

    /** Adds, seals, unseals and truncates, and says which steps it has done. */
    static final class Sealer {
        public static void main(String[] args) throws IOException {
            STEPS.run(Path.of(args[0]));
        }
    }
}
