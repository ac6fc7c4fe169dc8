package io.slipstream.benchmarks.columns;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.list.Cursor;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.HugeListBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A huge list against a list of beans. */
final class ListContest implements Contest {
    /** What is measured. */
    enum Operation {
        APPEND_AND_READ,
        SUM,
        SUM_OF_ARRAY,
        RANDOM,
        RANDOM_ELEMENTS,
        RANDOM_ELEMENTS_AT_ONCE,
        UPDATE,
        MEMORY,
        SUM_OF_ARRAY_SEALED,
        MEMORY_SEALED
    }

    private static final Set<Operation> SEALED = EnumSet.of(Operation.SUM_OF_ARRAY_SEALED, Operation.MEMORY_SEALED);
    private static final Set<Operation> ARRAYS = EnumSet.of(Operation.SUM_OF_ARRAY, Operation.SUM_OF_ARRAY_SEALED);

    private static final Set<Operation> RANDOM_READS =
            EnumSet.of(Operation.RANDOM, Operation.RANDOM_ELEMENTS, Operation.RANDOM_ELEMENTS_AT_ONCE);

    private final Operation operation;
    private final int count;
    private final boolean byRows;
    private final HugeList<Row> rows;
    private final List<Bean> beans = new ArrayList<>();
    private final long[] array;
    private final int[] order;
    private final long[] orderAsRows;
    private final double beanBytes;
    private final long expectedDigest;
    private long digest;

    ListContest(Operation operation, boolean byRows, int count) {
        this.operation = operation;
        this.byRows = byRows;
        this.rows = newList();
        this.count = count;
        long before = usedHeap();
        if (operation != Operation.APPEND_AND_READ) {
            append(rows, count);
            if (!ARRAYS.contains(operation)) {
                append(beans, count);
            }
        }
        this.beanBytes = usedHeap() - before;
        if (SEALED.contains(operation)) {
            seal(rows);
        }
        this.array = new long[ARRAYS.contains(operation) ? count : 0];
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
        SplittableRandom random = new SplittableRandom(5);
        this.order = RANDOM_READS.contains(operation)
                ? random.ints(Math.min(count, 10_000_000), 0, count).toArray()
                : new int[0];
        this.orderAsRows = Arrays.stream(order).asLongStream().toArray();
        this.expectedDigest = switch (operation) {
            case APPEND_AND_READ -> digest(IntStream.range(0, count));
            case RANDOM_ELEMENTS, RANDOM_ELEMENTS_AT_ONCE -> digest(Arrays.stream(order));
            default -> 0;
        };
    }

    private HugeList<Row> newList() {
        HugeListBuilder<Row> builder = HugeList.builder(Row.class);
        return (byRows ? builder.byRows() : builder).inMemory();
    }

    private static void seal(HugeList<Row> list) {
        try {
            list.seal();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void append(HugeList<Row> list, int count) {
        for (int i = 0; i < count; i++) {
            Row.fill(list.append(), i);
        }
    }

    private static void append(List<Bean> list, int count) {
        for (int i = 0; i < count; i++) {
            Bean bean = new Bean();
            Row.fill(bean, i);
            list.add(bean);
        }
    }

    @Override
    public double ours() {
        long start = System.nanoTime();
        return switch (operation) {
            case APPEND_AND_READ -> {
                long digest = 0;
                try (HugeList<Row> list = newList()) {
                    append(list, count);
                    Cursor<Row> cursor = list.cursor();
                    while (cursor.next()) {
                        digest += Row.digest(cursor.element());
                    }
                }
                yield perElement(start, digest, expectedDigest);
            }
            case SUM, SUM_OF_ARRAY, SUM_OF_ARRAY_SEALED -> {
                LongColumn column = rows.longs("h");
                yield perElement(start, column.sum(), sum());
            }
            case RANDOM -> {
                Cursor<Row> cursor = rows.cursor();
                long sum = 0;
                for (int i : order) {
                    sum += cursor.moveTo(i).element().getH() - i;
                }
                yield perElement(start, sum, 0) * count / order.length;
            }
            case RANDOM_ELEMENTS -> {
                Cursor<Row> cursor = rows.cursor();
                long digest = 0;
                for (int i : order) {
                    digest += Row.digest(cursor.moveTo(i).element());
                }
                yield perElement(start, digest, expectedDigest) * count / order.length;
            }
            case RANDOM_ELEMENTS_AT_ONCE -> {
                digest = 0;
                rows.cursor().forEach(orderAsRows, (row, _) -> digest += Row.digest(row));
                yield perElement(start, digest, expectedDigest) * count / order.length;
            }
            case UPDATE -> {
                Cursor<Row> cursor = rows.cursor();
                while (cursor.next()) {
                    Row row = cursor.element();
                    row.setE(row.getE() + 1);
                }
                yield perElement(start, 0, 0);
            }
            case MEMORY, MEMORY_SEALED -> (double) rows.memoryBytes() / count;
        };
    }

    @Override
    public double peer() {
        long start = System.nanoTime();
        return switch (operation) {
            case APPEND_AND_READ -> {
                List<Bean> list = new ArrayList<>();
                append(list, count);
                long digest = 0;
                for (Bean bean : list) {
                    digest += Row.digest(bean);
                }
                yield perElement(start, digest, expectedDigest);
            }
            case SUM -> {
                long sum = 0;
                for (Bean bean : beans) {
                    sum += bean.getH();
                }
                yield perElement(start, sum, sum());
            }
            case SUM_OF_ARRAY, SUM_OF_ARRAY_SEALED -> {
                long sum = 0;
                for (long value : array) {
                    sum += value;
                }
                yield perElement(start, sum, sum());
            }
            case RANDOM -> {
                long sum = 0;
                for (int i : order) {
                    sum += beans.get(i).getH() - i;
                }
                yield perElement(start, sum, 0) * count / order.length;
            }
            case RANDOM_ELEMENTS, RANDOM_ELEMENTS_AT_ONCE -> {
                long digest = 0;
                for (int i : order) {
                    digest += Row.digest(beans.get(i));
                }
                yield perElement(start, digest, expectedDigest) * count / order.length;
            }
            case UPDATE -> {
                for (Bean bean : beans) {
                    bean.setE(bean.getE() + 1);
                }
                yield perElement(start, 0, 0);
            }
            case MEMORY, MEMORY_SEALED -> beanBytes / count;
        };
    }

    private long sum() {
        return (count - 1L) * count / 2;
    }

    private static long digest(IntStream elements) {
        Bean bean = new Bean();
        return elements.mapToLong(i -> {
                    Row.fill(bean, i);
                    return Row.digest(bean);
                })
                .sum();
    }

    private double perElement(long start, long answer, long expected) {
        double nanos = (double) (System.nanoTime() - start) / count;
        if (answer != expected) {
            throw new IllegalStateException("the answer is " + answer + " instead of " + expected);
        }
        return nanos;
    }

    @Override
    public void close() {
        rows.close();
    }
}
