package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.column.RowSet;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each operation of a column answers for the rows of one moment while the owner appends; a model knows what. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class ReaderBesideTheOwnerTest {
    private static final int ROWS = 5_000;
    private static final int ROWS_AN_OPERATION = 3;

    interface Row {
        long id();

        void id(long value);

        @Nullable
        Integer box();

        void box(@Nullable Integer value);

        double down();

        void down(double value);

        @Nullable
        Double half();

        void half(@Nullable Double value);

        boolean flag();

        void flag(boolean value);

        byte group();

        void group(byte value);

        String text();

        void text(String value);

        static void fill(Row row, long id) {
            row.text("t" + id % 5);
            row.group((byte) (id % 4));
            row.flag(id % 3 == 1);
            row.half(id % 3 == 0 ? null : (Double) (id / 2.0));
            row.down(-id);
            row.box(id % 3 == 0 ? null : (Integer) (int) id);
            row.id(id);
        }
    }

    private final HugeList<Row> list;
    private final AtomicLong operations = new AtomicLong();

    ReaderBesideTheOwnerTest(ListLayout layout) {
        this.list = layout.builder(Row.class).rowsPerBlock(64).inMemory();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void everyOperationAnswersForTheRowsOfOneMoment() {
        try (list) {
            for (int id = 0; id < 2; id++) {
                Row.fill(list.append(), id);
            }
            list.publish();
            CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
                while (list.size() < ROWS) {
                    readAll();
                }
                readAll();
            });
            for (int id = 2; id < ROWS; id++) {
                Row.fill(list.append(), id);
                while (operations.get() * ROWS_AN_OPERATION < id && !reader.isDone()) {
                    Thread.onSpinWait();
                }
            }
            list.publish();
            reader.join();
        }
    }

    private void readAll() {
        check("sum", () -> list.longs("id").sum(), n -> n * (n - 1) / 2);
        check("count", () -> list.longs("id").count(), n -> n);
        check("min", () -> list.longs("id").min(), _ -> 0);
        check("max", () -> list.longs("id").max(), n -> n - 1);
        check("countBetween", () -> list.longs("id").countBetween(1, ROWS), n -> n - 1);
        check("countWhere", () -> list.longs("id").countWhere(id -> id % 3 != 0), n -> n - thirds(n));
        check("whereBetween", () -> list.longs("id").whereBetween(1, ROWS), n -> n - 1);
        check("optional sum", () -> list.longs("box").sum(), ReaderBesideTheOwnerTest::present);
        check("optional count", () -> list.longs("box").count(), n -> n - thirds(n));
        check("optional min", () -> list.longs("box").min(), _ -> 1);
        check("optional max", () -> list.longs("box").max(), n -> n % 3 == 1 ? n - 2 : n - 1);
        check("optional where", () -> list.longs("box").where(_ -> true), n -> n - thirds(n));
        check("optional countBetween", () -> list.longs("box").countBetween(0, ROWS), n -> n - thirds(n));
        check("sum of rows", () -> list.longs("box").sum(list.longs("box").where(_ -> true)), n -> present(n));
        check("groups", () -> list.longs("id").groupBy(list.longs("group")).count(1), n -> (n + 2) / 4);
        check(
                "optional groups",
                () -> list.longs("box").groupBy(list.longs("text")).count(9),
                _ -> 0);
        check("double sum", () -> (long) list.doubles("down").sum(), n -> -n * (n - 1) / 2);
        check("double min", () -> (long) list.doubles("down").min(), n -> 1 - n);
        check("double max", () -> (long) list.doubles("down").max(), _ -> 0);
        check("double where", () -> list.doubles("down").where(value -> value < 0), n -> n - 1);
        check("double count", () -> list.doubles("half").count(), n -> n - thirds(n));
        check("optional double max", () -> (long) (2 * list.doubles("half").max()), n -> n % 3 == 1 ? n - 2 : n - 1);
        check("optional double sum", () -> (long) (2 * list.doubles("half").sum()), ReaderBesideTheOwnerTest::present);
        check(
                "double groups",
                () -> list.doubles("half").groupBy(list.longs("group")).count(9),
                _ -> 0);
        check("bits", () -> list.booleans("flag").count(), n -> (n + 1) / 3);
        check("where bits", () -> list.booleans("flag").where(), n -> (n + 1) / 3);
        check("text", () -> list.whereText("text", "t1"), n -> (n + 3) / 5);
        sorted("sorted", () -> list.longs("id").sortedRows(), false, false);
        sorted("optional sorted", () -> list.longs("box").sortedRows(), true, false);
        sorted("double sorted", () -> list.doubles("down").sortedRows(), false, true);
        sorted("optional double sorted", () -> list.doubles("half").sortedRows(), true, false);
        Cursor<Row> cursor = list.cursor();
        while (cursor.next()) {
            assertThat(cursor.element().id()).isEqualTo(cursor.row());
        }
        operations.incrementAndGet();
    }

    private static long thirds(long n) {
        return (n + 2) / 3;
    }

    private static long present(long n) {
        long thirds = thirds(n);
        return n * (n - 1) / 2 - 3 * (thirds * (thirds - 1) / 2);
    }

    private void check(String what, Supplier<?> operation, LongUnaryOperator model) {
        long before = list.size();
        Object answer = operation.get();
        long after = list.size();
        operations.incrementAndGet();
        if (answer instanceof RowSet set) {
            assertThat(set.rows()).as(what).isBetween(before, after);
            assertThat(set.count()).as("%s of %s rows", what, set.rows()).isEqualTo(model.applyAsLong(set.rows()));
            return;
        }
        long number = ((Number) answer).longValue();
        assertThat(LongStream.rangeClosed(before, after).map(model).anyMatch(value -> value == number))
                .as("%s is %s between %s and %s rows", what, number, before, after)
                .isTrue();
    }

    private void sorted(String what, Supplier<long[]> operation, boolean isOptional, boolean isReverse) {
        long before = list.size();
        long[] rows = operation.get();
        long after = list.size();
        operations.incrementAndGet();
        boolean isRight = LongStream.rangeClosed(before, after).anyMatch(n -> {
            long[] model = LongStream.range(0, n)
                    .map(i -> isReverse ? n - 1 - i : i)
                    .filter(row -> !isOptional || row % 3 != 0)
                    .toArray();
            return Arrays.equals(model, rows);
        });
        assertThat(isRight).as("%s between %s and %s rows", what, before, after).isTrue();
    }
}
