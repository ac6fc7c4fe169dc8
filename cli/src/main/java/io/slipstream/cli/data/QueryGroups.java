package io.slipstream.cli.data;

import io.slipstream.data.column.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What a query counts, adds and compares: of all rows, or of each group of them. */
final class QueryGroups {
    private final @Nullable QueryColumn group;
    private final List<Figure> figures;

    QueryGroups(@Nullable QueryColumn group, List<Figure> figures) {
        this.group = group;
        this.figures = figures;
        if (group != null && group.isReal()) {
            throw new IllegalArgumentException(group.field() + " has fractions, of which there are no groups");
        }
    }

    /** What is asked of the values of a field. */
    enum Kind {
        SUM,
        MIN,
        MAX
    }

    /** A value in an answer; null is none, which comes last. */
    record Cell(@Nullable Comparable<?> value) implements Comparable<Cell> {
        @Override
        @SuppressWarnings("unchecked")
        public int compareTo(Cell other) {
            if (value == null || other.value == null) {
                return Boolean.compare(value == null, other.value == null);
            }
            // Cells of one column are of one class.
            return ((Comparable<Object>) value).compareTo(other.value);
        }
    }

    /** A column of the answer. */
    sealed interface Figure {
        String heading();

        Total begin();
    }

    /** How many rows there are. */
    record Count() implements Figure {
        @Override
        public String heading() {
            return "count";
        }

        @Override
        public Total begin() {
            return new Total() {
                private long count;

                @Override
                public void add(long row) {
                    count++;
                }

                @Override
                public Cell value() {
                    return new Cell(count);
                }
            };
        }
    }

    /** What is asked of the rows that have a value. */
    record Of(Kind kind, QueryColumn column, RowSet present, LongFunction<Number> numbers) implements Figure {
        Of(Kind kind, QueryColumn column) {
            this(kind, column, column.present(), column.numbers());
            if (kind == Kind.SUM ? !column.isAmount() : !column.isOrdered()) {
                throw new IllegalArgumentException("there is no " + word() + " of " + column.field());
            }
        }

        private String word() {
            return kind.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public String heading() {
            return word() + "(" + column.field() + ")";
        }

        @Override
        public Total begin() {
            return new Total() {
                private @Nullable Number found;

                @Override
                public void add(long row) {
                    if (present.contains(row)) {
                        Number value = numbers.apply(row);
                        found = found == null ? value : joined(found, value);
                    }
                }

                @Override
                public Cell value() {
                    return new Cell(found == null ? null : column.value(found));
                }
            };
        }

        private Number joined(Number a, Number b) {
            if (column.isReal()) {
                double x = a.doubleValue();
                double y = b.doubleValue();
                return kind == Kind.SUM ? x + y : kind == Kind.MIN ? Math.min(x, y) : Math.max(x, y);
            }
            long x = a.longValue();
            long y = b.longValue();
            try {
                return kind == Kind.SUM ? Math.addExact(x, y) : kind == Kind.MIN ? Math.min(x, y) : Math.max(x, y);
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException(heading() + " does not fit 64 bits", e);
            }
        }
    }

    /** What has been found of a group. */
    private interface Total {
        void add(long row);

        Cell value();
    }

    /** Returns what the columns of the answer are. */
    List<String> headings() {
        List<String> headings = new ArrayList<>();
        if (group != null) {
            headings.add(group.field());
        }
        figures.forEach(figure -> headings.add(figure.heading()));
        return headings;
    }

    /**
     * Returns a line for each group, in their order; one of all rows if there are no groups.
     *
     * @throws IllegalArgumentException if a sum is greater than a {@code long}
     */
    List<List<Cell>> lines(RowSet rows) {
        QueryColumn by = group;
        TreeMap<Long, List<Total>> groups = new TreeMap<>();
        if (by == null) {
            List<Total> all = begin();
            groups.put(0L, all);
            rows.forEach(row -> all.forEach(total -> total.add(row)));
        } else {
            LongFunction<Number> keys = by.numbers();
            rows.and(by.present())
                    .forEach(row -> groups.computeIfAbsent(keys.apply(row).longValue(), _ -> begin())
                            .forEach(total -> total.add(row)));
        }
        List<List<Cell>> lines = new ArrayList<>();
        groups.forEach((key, totals) -> {
            List<Cell> line = new ArrayList<>();
            if (by != null) {
                line.add(new Cell(by.value(key)));
            }
            totals.forEach(total -> line.add(total.value()));
            lines.add(line);
        });
        if (by != null && by.isText()) {
            // Their numbers are the order in which the texts came.
            lines.sort((a, b) -> a.getFirst().compareTo(b.getFirst()));
        }
        return lines;
    }

    private List<Total> begin() {
        return figures.stream().map(Figure::begin).toList();
    }
}
