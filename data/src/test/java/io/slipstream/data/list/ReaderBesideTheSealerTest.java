package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that read while the owner seals, changes sealed rows and appends see right values, and no exception. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class ReaderBesideTheSealerTest {
    private static final int ROUNDS = 150;
    private static final int ROUNDS_IN_FILES = 25;

    interface Row {
        long id();

        void id(long value);

        int kept();

        void kept(int value);

        double half();

        void half(double value);

        boolean odd();

        void odd(boolean value);

        String text();

        void text(String value);

        /** The owner changes it all the time: it is the row, or the row plus a million. */
        long changed();

        void changed(long value);
    }

    @TempDir
    Path temp;

    private final ListLayout layout;

    ReaderBesideTheSealerTest(ListLayout layout) {
        this.layout = layout;
    }

    private static void fill(Row row, long id) {
        row.kept((int) (id % 1000));
        row.half(id / 2.0);
        row.odd(id % 2 == 1);
        row.text("t" + id % 5);
        row.changed(id);
        row.id(id);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readersNeverSeeAWrongValueNorAnException() throws IOException {
        try (HugeList<Row> list = layout.builder(Row.class).rowsPerBlock(64).inMemory()) {
            readBeside(list, ROUNDS);
        }
        try (HugeList<Row> list = layout.builder(Row.class).rowsPerBlock(64).create(temp.resolve("list"))) {
            readBeside(list, ROUNDS_IN_FILES);
        }
    }

    private static void readBeside(HugeList<Row> list, int rounds) throws IOException {
        fill(list.append(), 0);
        list.publish();
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            readers.add(CompletableFuture.runAsync(() -> {
                while (!isOver.get()) {
                    readAll(list);
                }
                readAll(list);
            }));
        }
        try {
            for (int round = 0; round < rounds && readers.stream().noneMatch(CompletableFuture::isDone); round++) {
                for (int i = 0; i < 20; i++) {
                    long id = list.size();
                    fill(list.append(), id);
                }
                list.publish();
                list.seal();
                Cursor<Row> cursor = list.cursor();
                for (long row = round % 7; row < list.size(); row += 100) {
                    Row element = cursor.moveTo(row).element();
                    element.changed(element.changed() == row ? row + 1_000_000 : row);
                }
            }
        } finally {
            isOver.set(true);
        }
        readers.forEach(CompletableFuture::join);
    }

    private static void readAll(HugeList<Row> list) {
        Cursor<Row> cursor = list.cursor();
        while (cursor.next()) {
            long id = cursor.row();
            Row row = cursor.element();
            long changed = row.changed();
            if (row.id() != id
                    || row.kept() != id % 1000
                    || row.half() != id / 2.0
                    || row.odd() != (id % 2 == 1)
                    || !row.text().equals("t" + id % 5)
                    || changed != id && changed != id + 1_000_000) {
                throw new AssertionError("row " + id + " has wrong values");
            }
        }
        var ids = list.longs("id").whereBetween(0, Long.MAX_VALUE);
        assertThat(ids.count()).isEqualTo(ids.rows());
        long before = list.size();
        long sum = list.longs("id").sum();
        long after = list.size();
        assertThat(sum).isBetween(before * (before - 1) / 2, after * (after - 1) / 2);
        assertThat(list.longs("id").min()).isZero();
        assertThat(list.longs("kept").countBetween(0, 999)).isBetween(after, list.size());
        double halves = list.doubles("half").sum();
        assertThat(halves).isGreaterThanOrEqualTo(after * (after - 1) / 4.0);
        var odd = list.booleans("odd").where();
        assertThat(odd.count()).isEqualTo(odd.rows() / 2);
        for (long row = 0; row < before; row += 13) {
            assertThat(list.longs("id").get(row)).isEqualTo(row);
        }
        try {
            ListArrow.writeStream(list, new ByteArrayOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
