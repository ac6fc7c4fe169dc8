package io.slipstream.data.list;

import static io.slipstream.data.list.RemovalTest.add;
import static io.slipstream.data.list.RemovalTest.builder;
import static io.slipstream.data.list.RemovalTest.fill;
import static io.slipstream.data.list.RemovalTest.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.column.RowSet;
import io.slipstream.data.list.RemovalTest.Entry;
import io.slipstream.data.list.RemovalTest.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who reads a list while elements are removed sees all of them or none, or is refused. */
class RemovalBesideReadersTest {
    @TempDir
    Path temp;

    @Test
    void leavesProcessesThatReadTheirRows() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Row> owner = rows(ListLayout.COLUMNS).create(folder)) {
            fill(owner, 300);
            owner.commit();
            try (HugeList<Row> reader = rows(ListLayout.COLUMNS).openReadOnly(folder);
                    HugeList<Row> unchecked = rows(ListLayout.COLUMNS).openReadOnly(folder)) {
                owner.get(0).id(300);
                owner.commit();
                assertThat(owner.removeIf(row -> row.id() % 2 == 0)).isEqualTo(150);
                assertThat(folder.resolve("block-0")).doesNotExist();
                assertThat(folder.resolve("block-1-2")).exists();
                assertThat(folder.resolve("block-1-3")).doesNotExist();
                assertThat(reader.size()).isEqualTo(300);
                assertThat(reader.get(299).text()).isEqualTo("t9");
                // What was changed in place since cannot be compared with a commit any more.
                assertThatThrownBy(unchecked::verify)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("were removed since it was opened here; open it again");
            }
            try (HugeList<Row> reader = rows(ListLayout.COLUMNS).openReadOnly(folder)) {
                reader.verify();
                assertThat(reader.size()).isEqualTo(150);
            }
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aThreadThatReadsMeanwhileSeesAllOrNoneOrIsRefused() throws Exception {
        for (boolean isInFiles : new boolean[] {false, true}) {
            try (HugeList<Row> list = isInFiles
                    ? rows(ListLayout.COLUMNS).create(temp.resolve("beside"))
                    : rows(ListLayout.COLUMNS).inMemory()) {
                fill(list, 4_000);
                list.publish();
                Set<Long> sums = ConcurrentHashMap.newKeySet();
                sums.add(list.longs("id").sum());
                AtomicBoolean isDone = new AtomicBoolean();
                CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                    int answers = 0;
                    while (!isDone.get() || answers == 0) {
                        try {
                            assertThat(sums).contains(list.longs("id").sum());
                            long sum = 0;
                            for (Row row : list) {
                                sum += row.id();
                            }
                            assertThat(sums).contains(sum);
                            assertThat(sums)
                                    .contains(list.stream().mapToLong(Row::id).sum());
                            RowSet ones = list.whereText("text", "t1");
                            assertThat(ones.count()).isPositive();
                            ListArrow.writeStream(list, new ByteArrayOutputStream());
                            answers++;
                        } catch (IllegalStateException e) {
                            // Rows were removed meanwhile.
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                    return answers;
                });
                Random random = new Random(3);
                for (int i = 0; i < 40; i++) {
                    long taken = random.nextInt(400) * 10L;
                    long sum = list.stream()
                            .mapToLong(Row::id)
                            .filter(id -> id < taken || id >= taken + 9)
                            .sum();
                    sums.add(sum);
                    list.removeIf(row -> row.id() >= taken && row.id() < taken + 9);
                    assertThat(list.longs("id").sum()).isEqualTo(sum);
                }
                isDone.set(true);
                assertThat(reader.get()).isPositive();
            }
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aListThatIsOpenedForReadingMeanwhileOpensOrSaysThatRowsWereRemoved() throws Exception {
        Path folder = temp.resolve("list");
        AtomicBoolean isDone = new AtomicBoolean();
        try (HugeList<Entry> owner = builder(ListLayout.COLUMNS).create(folder)) {
            CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                int opened = 0;
                while (!isDone.get() || opened == 0) {
                    try (HugeList<Entry> list = builder(ListLayout.COLUMNS).openReadOnly(folder)) {
                        list.verify();
                        opened++;
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("were removed since");
                    }
                }
                return opened;
            });
            long next = 0;
            for (int i = 0; i < 40; i++) {
                next = add(owner, new ArrayList<>(), 150, next);
                owner.commit();
                int rest = i % 3;
                owner.removeIf(entry -> entry.value() % 3 == rest);
            }
            isDone.set(true);
            assertThat(reader.get()).isPositive();
        }
    }
}
