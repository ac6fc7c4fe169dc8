package io.slipstream.benchmarks.text;

import com.github.skjolber.stcsv.CsvReader;
import com.github.skjolber.stcsv.sa.StringArrayCsvReader;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvWriter;
import io.slipstream.data.text.TextBuffer;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * A file of trades of seven fields: every record is split, and the quantities are added up. The file is in the page
 * cache.
 */
final class CsvContest implements Contest {
    private static final int QUANTITY = 4;
    private static final int FLUSH = 1 << 16;
    private static final int READER_CHARACTERS = 1 << 16;

    private final Path file;
    private final long expected;
    private final double gigabytes;

    CsvContest(long bytes) throws IOException {
        file = Files.createTempFile(Path.of("").toAbsolutePath(), "trades", ".csv");
        SplittableRandom random = new SplittableRandom(3);
        TextBuffer text = new TextBuffer(2 * FLUSH);
        CsvWriter writer = new CsvWriter(text, CsvFormat.RFC_4180);
        long sum = 0;
        long written = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long id = 1; written < bytes; id++) {
                long quantity = 100 + random.nextInt(1_000_000);
                sum += quantity;
                writer.instant(1_795_000_000_000_000_000L + id * 1_234_567)
                        .field("EURUSD")
                        .field(id % 2 == 0 ? "BUY" : "SELL")
                        .decimal(100_000 + random.nextInt(80_000), 5)
                        .field(quantity)
                        .field("LDN")
                        .field(id)
                        .endRecord();
                if (text.length() > FLUSH) {
                    written += text.length();
                    text.writeTo(channel);
                    text.clear();
                }
            }
            text.writeTo(channel);
        }
        expected = sum;
        gigabytes = Files.size(file) / 1e9;
    }

    @Override
    public double ours() throws IOException {
        long begin = System.nanoTime();
        long sum = 0;
        try (FileChannel channel = FileChannel.open(file)) {
            io.slipstream.data.text.CsvReader records =
                    io.slipstream.data.text.CsvReader.of(channel, CsvFormat.RFC_4180);
            while (records.next()) {
                sum += records.longAt(QUANTITY);
            }
        }
        return result(sum, begin);
    }

    @Override
    public double peer() throws Exception {
        long begin = System.nanoTime();
        long sum = 0;
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            CsvReader<String[]> records = StringArrayCsvReader.builder()
                    .bufferLength(READER_CHARACTERS)
                    .build(reader);
            for (String[] record = records.next(); record != null; record = records.next()) {
                sum += Long.parseLong(record[QUANTITY]);
            }
        }
        return result(sum, begin);
    }

    private double result(long sum, long begin) {
        long nanos = System.nanoTime() - begin;
        if (sum != expected) {
            throw new IllegalStateException("the sum is " + sum + " instead of " + expected);
        }
        return nanos / 1e9 / gigabytes;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
