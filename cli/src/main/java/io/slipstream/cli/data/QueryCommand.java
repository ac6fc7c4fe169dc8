package io.slipstream.cli.data;

import io.slipstream.cli.data.QueryGroups.Cell;
import io.slipstream.cli.data.QueryGroups.Figure;
import io.slipstream.cli.data.QueryGroups.Kind;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.json.Json;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.ListCsv;
import io.slipstream.data.list.ListJson;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvWriter;
import io.slipstream.data.text.TextBuffer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream data query}. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = "Finds elements of a list, those of its last commit, and writes them or figures of them as CSV. "
                + "A field of a nested record is named by its path, as leg.price. Values are written as 'export' "
                + "writes them. Rows that have no value of a field take part in nothing that is asked of it.")
final class QueryCommand implements Callable<Integer> {
    @Mixin
    private ListOptions options;

    @Option(
            names = "--where",
            paramLabel = "FIELD=VALUE",
            description = "Only elements with this value, or with one of a range: price=100..101.5, price=100.. or "
                    + "price=..101.5, bounds included. All of several must hold.")
    private List<String> conditions = new ArrayList<>();

    @Option(names = "--count", description = "Writes how many there are.")
    private boolean isCounted;

    @Option(names = "--sum", paramLabel = "FIELD", split = ",", description = "Writes the sum of these fields.")
    private List<String> sums = new ArrayList<>();

    @Option(names = "--min", paramLabel = "FIELD", split = ",", description = "Writes the least value of each.")
    private List<String> least = new ArrayList<>();

    @Option(names = "--max", paramLabel = "FIELD", split = ",", description = "Writes the greatest value of each.")
    private List<String> greatest = new ArrayList<>();

    @Option(names = "--group", paramLabel = "FIELD", description = "Writes figures of each value of this field.")
    private @Nullable String group;

    @Option(
            names = "--sort",
            paramLabel = "FIELD",
            description = "Sorts by this field, or figures by one of their headings, as 'sum(price)'.")
    private @Nullable String sort;

    @Option(names = "--descending", description = "Sorts the greatest first.")
    private boolean isDescending;

    @Option(names = "--limit", paramLabel = "N", description = "Writes so many lines at most.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "Writes elements as JSON, an object a line.")
    private boolean isJson;

    @SuppressWarnings("NullAway.Init")
    QueryCommand() {}

    @Override
    public Integer call() throws IOException {
        if (limit < 0) {
            throw new IllegalArgumentException("--limit is 0 or more, not " + limit);
        }
        if (isDescending && sort == null) {
            throw new IllegalArgumentException("--descending needs --sort");
        }
        options.load(this::ask);
        return 0;
    }

    private <T> void ask(Class<T> elements) throws IOException {
        try (HugeList<T> list = HugeList.builder(elements).openReadOnly(options.folder())) {
            list.verify();
            OutputStream out = new BufferedOutputStream(System.out);
            List<Figure> figures = figures(list);
            if (figures.isEmpty() && group == null) {
                write(list, rows(list), out);
            } else if (isJson) {
                throw new IllegalArgumentException("--json is for elements; figures are written as CSV");
            } else {
                QueryColumn by = group == null ? null : new QueryColumn(list, group);
                write(new QueryGroups(by, figures), selected(list), out);
            }
            out.flush();
        }
    }

    private List<Figure> figures(HugeList<?> list) {
        List<Figure> figures = new ArrayList<>();
        if (isCounted) {
            figures.add(new QueryGroups.Count());
        }
        sums.forEach(field -> figures.add(new QueryGroups.Of(Kind.SUM, new QueryColumn(list, field))));
        least.forEach(field -> figures.add(new QueryGroups.Of(Kind.MIN, new QueryColumn(list, field))));
        greatest.forEach(field -> figures.add(new QueryGroups.Of(Kind.MAX, new QueryColumn(list, field))));
        return figures;
    }

    private RowSet selected(HugeList<?> list) {
        RowSet rows = new RowSet(list.size()).not();
        for (String condition : conditions) {
            int equals = condition.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("--where is FIELD=VALUE or FIELD=LOW..HIGH, not " + condition);
            }
            rows.and(new QueryColumn(list, condition.substring(0, equals)).where(condition.substring(equals + 1)));
        }
        return rows;
    }

    /** Returns the rows of the elements, in order. */
    private LongStream rows(HugeList<?> list) {
        RowSet selected = selected(list);
        LongStream rows;
        if (sort == null) {
            rows = LongStream.range(0, list.size());
        } else {
            long[] sorted = new QueryColumn(list, sort).sortedRows().toArray();
            rows = isDescending
                    ? LongStream.range(0, sorted.length).map(i -> sorted[(int) (sorted.length - 1 - i)])
                    : LongStream.of(sorted);
        }
        return rows.filter(selected::contains).limit(limit);
    }

    private <T> void write(HugeList<T> list, LongStream rows, OutputStream out) throws IOException {
        if (isJson) {
            ListJson.write(list, rows, Json.of(list.schema().type()), out);
        } else {
            ListCsv.write(list, rows, out);
        }
    }

    private void write(QueryGroups groups, RowSet rows, OutputStream out) throws IOException {
        List<String> headings = groups.headings();
        List<List<Cell>> lines = groups.lines(rows);
        if (sort != null) {
            int at = headings.indexOf(sort);
            if (at < 0) {
                throw new IllegalArgumentException("--sort is one of " + headings + ", not " + sort);
            }
            Comparator<List<Cell>> order = Comparator.comparing(line -> line.get(at));
            lines.sort(isDescending ? order.reversed() : order);
        }
        TextBuffer text = new TextBuffer(1 << 12);
        CsvWriter csv = new CsvWriter(text, CsvFormat.RFC_4180);
        headings.forEach(csv::field);
        csv.endRecord();
        lines.stream().limit(limit).forEach(line -> {
            line.forEach(cell -> write(cell, csv));
            csv.endRecord();
        });
        text.writeTo(out);
    }

    private static void write(Cell cell, CsvWriter csv) {
        switch (cell.value()) {
            case null -> csv.none();
            case Long value -> csv.field(value);
            case Double value -> csv.field(value);
            case Boolean value -> csv.field(value);
            case BigDecimal value -> csv.field(value.toPlainString());
            case Object value -> csv.field(value.toString());
        }
    }
}
