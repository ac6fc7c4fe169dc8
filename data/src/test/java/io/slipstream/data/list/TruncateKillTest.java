package io.slipstream.data.list;

import io.slipstream.data.list.TruncateTest.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list in files has all of the rows that are truncated, or none, however its process ends. */
class TruncateKillTest {
    private static final KilledSteps<Entry> STEPS = new KilledSteps<>(
            () -> TruncateTest.builder(ListLayout.COLUMNS),
            TruncateKillTest::next,
            TruncateKillTest::after,
            TruncateTest::assertIs);

    @TempDir
    Path temp;

    @Test
    void hasAllTruncatedRowsOrNoneHoweverItIsKilled() throws Exception {
        STEPS.killAndCompare(Truncater.class, temp, 60, 2);
    }

    /** The sizes that a list has after a step: even ones add, odd ones truncate. */
    private static int sizeAfter(int step, int before) {
        return step % 2 == 0 ? before + step * 53 % 200 : before * (step * 37 % 10) / 10;
    }

    /** Returns what the list holds after a step; all that is added in one has its number as the value. */
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

    private static void next(HugeList<Entry> list, int step) throws IOException {
        int size = sizeAfter(step, (int) list.size());
        while (list.size() < size) {
            list.add(Entry.of(list.size(), step));
        }
        if (size < list.size()) {
            list.truncate(size);
        } else {
            list.commit();
        }
    }

    /** Adds and truncates in turn, and says which steps it has done. */
    static final class Truncater {
        public static void main(String[] args) throws IOException {
            STEPS.run(Path.of(args[0]));
        }
    }
}
