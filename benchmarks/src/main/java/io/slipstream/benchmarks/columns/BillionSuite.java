package io.slipstream.benchmarks.columns;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.data.list.Cursor;
import io.slipstream.data.list.HugeList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code benchmarks/run billion}: a billion elements of twelve fields in mapped files below the working directory,
 * which takes about 45 GB of disk; {@code --quick} takes ten million and 450 MB. The peer is a figure
 * that was reported.
 */
public final class BillionSuite implements Suite {
    private static final double REPORTED_NANOS = 110;
    private static final long BYTES_PER_ELEMENT = 48;

    @Override
    public String name() {
        return "billion";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        long count = quick ? 10_000_000 : 1_000_000_000;
        return List.of(new Comparison(
                "add to files, commit, and read 12 fields",
                Unit.cost("ns"),
                "reported in 2011: 110 ns",
                30 / REPORTED_NANOS,
                new Plan(1, 0, 1),
                () -> new Reported(count)));
    }

    private record Reported(long count) implements Contest {
        @Override
        public double ours() throws IOException {
            Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "billion");
            try {
                long room = Files.getFileStore(folder).getUsableSpace();
                if (room < count * BYTES_PER_ELEMENT) {
                    throw new IOException(count + " elements need " + (count * BYTES_PER_ELEMENT >> 30) + " GB, but "
                            + folder
                            + " has room for " + (room >> 30));
                }
                return run(folder);
            } finally {
                delete(folder);
            }
        }

        private double run(Path folder) throws IOException {
            long start = System.nanoTime();
            try (HugeList<Row> list =
                    HugeList.builder(Row.class).rowsPerBlock(1 << 20).create(folder)) {
                for (long i = 0; i < count; i++) {
                    Row.fill(list.append(), (int) i);
                }
                list.commit();
                Cursor<Row> cursor = list.cursor();
                long digest = 0;
                while (cursor.next()) {
                    digest += Row.digest(cursor.element());
                }
                System.out.println("digest " + digest);
            }
            double nanos = (double) (System.nanoTime() - start) / count;
            long opening = System.nanoTime();
            try (HugeList<Row> list = HugeList.builder(Row.class).open(folder)) {
                System.out.printf(
                        Locale.ROOT,
                        "opened %d elements again after %d ms%n",
                        list.size(),
                        (System.nanoTime() - opening) / 1_000_000);
            }
            return nanos;
        }

        private static void delete(Path folder) throws IOException {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }

        @Override
        public double peer() {
            return REPORTED_NANOS;
        }
    }
}
