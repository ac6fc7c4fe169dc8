package io.slipstream.ticks;

import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.LongGroups;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.HugeListBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Keeps a day of trades: appends them, opens them again, asks questions of them and exports some. */
public final class Ticks {
    private static final long COMMIT_EVERY = 10_000_000;
    private static final long BAR_EVERY = 1 << 16;
    private static final int LOOKUPS = 1_000_000;

    private final Options options;
    private final Path folder;
    private final PrintStream out;
    private final boolean isTerminal;

    Ticks(Options options, Path folder, PrintStream out, boolean isTerminal) {
        this.options = options;
        this.folder = folder;
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** Runs the example; without a folder, it leaves nothing behind. */
    public static void main(String[] args) throws IOException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        boolean isTerminal = System.console() != null && System.console().isTerminal();
        Path folder = options.folder();
        if (folder != null) {
            new Ticks(options, folder, System.out, isTerminal).run();
            return;
        }
        Path temporary = Files.createTempDirectory("ticks");
        try {
            new Ticks(options, temporary, System.out, isTerminal).run();
        } finally {
            delete(temporary);
        }
    }

    void run() throws IOException {
        Path list = folder.resolve("trades");
        if (!Files.exists(list)) {
            Files.createDirectories(folder);
            append(list);
        }
        long start = System.nanoTime();
        try (HugeList<Trade> trades = builder().open(list)) {
            out.printf(Locale.ROOT, "opened     %,d trades in %.2f s%n", trades.size(), seconds(start));
            queryColumns(trades);
            lookUp(trades);
            export(trades);
        }
    }

    private static HugeListBuilder<Trade> builder() {
        return HugeList.builder(Trade.class).identity("id");
    }

    private void append(Path list) throws IOException {
        Market market = new Market(options.trades());
        ProgressBar bar = new ProgressBar(out, isTerminal, "appending", options.trades());
        long start = System.nanoTime();
        try (HugeList<Trade> trades = builder().create(list)) {
            for (long i = 0; i < options.trades(); i++) {
                market.fill(trades.append(), i);
                if (i % BAR_EVERY == 0) {
                    bar.at(i);
                }
                if (i % COMMIT_EVERY == COMMIT_EVERY - 1) {
                    trades.commit();
                }
            }
            trades.commit();
            bar.clear();
            require(trades.longs("quantity").sum() == market.quantity(), "the sum of the quantities is wrong");
            out.printf(
                    Locale.ROOT,
                    "appended   %,d trades in %.2f s: %.0f ns and %.1f bytes each%n",
                    trades.size(),
                    seconds(start),
                    seconds(start) * 1e9 / trades.size(),
                    (double) trades.memoryBytes() / trades.size());
        }
    }

    private void queryColumns(HugeList<Trade> trades) {
        long start = System.nanoTime();
        LongColumn quantity = trades.longs("quantity");
        LongColumn symbol = trades.longs("symbol");
        long total = quantity.sum();
        long large = quantity.countBetween(1_500, Long.MAX_VALUE);
        LongGroups volumes = quantity.groupBy(symbol);
        LongGroups prices = trades.longs("price").groupBy(symbol);
        out.printf(
                Locale.ROOT,
                "queried    volume %,d, %,d trades of 1,500 or more, in %.3f s%n",
                total,
                large,
                seconds(start));
        for (String name : Market.SYMBOLS) {
            int code = trades.codeOf("symbol", name);
            out.printf(
                    Locale.ROOT,
                    "  %s  %,12d trades  volume %,16d  low %.2f  high %.2f%n",
                    name,
                    volumes.count(code),
                    volumes.sum(code),
                    prices.min(code) / 100.0,
                    prices.max(code) / 100.0);
        }
    }

    private void lookUp(HugeList<Trade> trades) {
        SplittableRandom random = new SplittableRandom(7);
        long start = System.nanoTime();
        for (int i = 0; i < LOOKUPS; i++) {
            long row = random.nextLong(trades.size());
            require(trades.rowOf(Market.id(row)) == row, "trade " + Market.id(row) + " is not where it was put");
        }
        out.printf(
                Locale.ROOT,
                "looked up  %,d trades by their number: %.0f ns each%n",
                LOOKUPS,
                seconds(start) * 1e9 / LOOKUPS);
    }

    private void export(HugeList<Trade> trades) throws IOException {
        RowSet rows = trades.whereText("symbol", options.symbol());
        Path csv = folder.resolve(options.symbol() + ".csv");
        Path json = folder.resolve(options.symbol() + ".json");
        long start = System.nanoTime();
        Export.csv(trades, rows, csv);
        double csvSeconds = seconds(start);
        start = System.nanoTime();
        Export.json(trades, rows, json);
        out.printf(
                Locale.ROOT,
                "exported   %,d trades of %s: CSV %,d bytes in %.2f s, JSON %,d bytes in %.2f s%n",
                rows.count(),
                options.symbol(),
                Files.size(csv),
                csvSeconds,
                Files.size(json),
                seconds(start));
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
