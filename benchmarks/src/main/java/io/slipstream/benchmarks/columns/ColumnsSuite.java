package io.slipstream.benchmarks.columns;

import io.slipstream.benchmarks.columns.ListContest.Operation;
import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.List;

/** {@code benchmarks/run columns}. Its full form has 100 million beans on the heap and needs 20 GB of memory. */
public final class ColumnsSuite implements Suite {
    private static final String BEANS = "ArrayList of beans";

    @Override
    public String name() {
        return "columns";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        int many = quick ? 10_000_000 : 100_000_000;
        String size = quick ? ", 10 M" : ", 100 M";
        return List.of(
                against(
                        quick,
                        "append and read in order 12 fields, 10 M",
                        BEANS,
                        1.0,
                        Operation.APPEND_AND_READ,
                        false,
                        10_000_000),
                against(
                        quick,
                        "append and read in order 12 fields by rows, 10 M",
                        BEANS,
                        1.0,
                        Operation.APPEND_AND_READ,
                        true,
                        10_000_000),
                new Comparison(
                        "append and read in order 3 fields, 10 M",
                        Unit.cost("ns"),
                        "Arrow 19.0.0 vectors",
                        1.0,
                        plan(quick),
                        () -> new ArrowContest(10_000_000)),
                new Comparison(
                        "memory of an element of 12 fields, 10 M",
                        Unit.cost("bytes"),
                        BEANS,
                        0.4,
                        new Plan(1, 0, 1),
                        () -> new ListContest(Operation.MEMORY, false, 10_000_000)),
                new Comparison(
                        "memory of a sealed element of 12 fields, 10 M",
                        Unit.cost("bytes"),
                        BEANS,
                        0.4,
                        new Plan(1, 0, 1),
                        () -> new ListContest(Operation.MEMORY_SEALED, false, 10_000_000)),
                against(quick, "sum of a column" + size, BEANS, 0.1, Operation.SUM, false, many),
                against(
                        quick,
                        "sum of a column" + size,
                        "loop over a long[]",
                        1.1,
                        Operation.SUM_OF_ARRAY,
                        false,
                        many),
                against(
                        quick,
                        "sum of a sealed column" + size,
                        "loop over a long[]",
                        1.0,
                        Operation.SUM_OF_ARRAY_SEALED,
                        false,
                        many),
                against(quick, "sum of a column by rows" + size, BEANS, 1.0, Operation.SUM, true, many),
                against(quick, "random reads of a field" + size, BEANS, 0.6, Operation.RANDOM, false, many),
                against(quick, "random reads of an element" + size, BEANS, 0.9, Operation.RANDOM_ELEMENTS, false, many),
                against(
                        quick,
                        "random reads of an element by rows" + size,
                        BEANS,
                        0.9,
                        Operation.RANDOM_ELEMENTS,
                        true,
                        many),
                against(
                        quick,
                        "random reads of elements by rows, many at once" + size,
                        BEANS,
                        0.9,
                        Operation.RANDOM_ELEMENTS_AT_ONCE,
                        true,
                        many),
                against(quick, "update of a field, 1 M (B26)", BEANS, 1.0, Operation.UPDATE, false, 1_000_000),
                against(quick, "update of a field by rows, 1 M", BEANS, 1.0, Operation.UPDATE, true, 1_000_000));
    }

    private static Plan plan(boolean quick) {
        return quick ? new Plan(1, 2, 3) : Plan.FULL;
    }

    private static Comparison against(
            boolean quick, String name, String peer, double target, Operation operation, boolean byRows, int count) {
        return new Comparison(
                name, Unit.cost("ns"), peer, target, plan(quick), () -> new ListContest(operation, byRows, count));
    }

    /** Room for the beans, and what Arrow needs. */
    @Override
    public List<String> jvmOptions() {
        return List.of(
                "-Xmx12g",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED");
    }
}
