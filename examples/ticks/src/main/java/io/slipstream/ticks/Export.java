package io.slipstream.ticks;

import io.slipstream.data.column.RowSet;
import io.slipstream.data.json.Json;
import io.slipstream.data.list.Cursor;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvWriter;
import io.slipstream.data.text.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes some of the trades to a file. */
final class Export {
    private static final int CHUNK_BYTES = 1 << 16;

    private Export() {}

    /** Writes a header and a line for each trade. */
    static void csv(HugeList<Trade> trades, RowSet rows, Path file) throws IOException {
        TextBuffer text = new TextBuffer(2 * CHUNK_BYTES);
        CsvWriter csv = new CsvWriter(text, CsvFormat.RFC_4180);
        Cursor<Trade> cursor = trades.cursor();
        try (OutputStream out = Files.newOutputStream(file)) {
            csv.field("id")
                    .field("time")
                    .field("symbol")
                    .field("side")
                    .field("price")
                    .field("quantity")
                    .field("auction")
                    .endRecord();
            rows.forEach(row -> {
                Trade trade = cursor.moveTo(row).element();
                csv.field(trade.id())
                        .instant(trade.time())
                        .field(trade.symbol())
                        .field(trade.side().name())
                        .decimal(trade.price(), 2)
                        .field(trade.quantity())
                        .field(trade.auction())
                        .endRecord();
                if (text.length() >= CHUNK_BYTES) {
                    flush(text, out);
                }
            });
            flush(text, out);
        }
    }

    /** Writes a JSON object a line. */
    static void json(HugeList<Trade> trades, RowSet rows, Path file) throws IOException {
        Json<Trade> json = Json.of(Trade.class);
        StringBuilder text = new StringBuilder(2 * CHUNK_BYTES);
        Cursor<Trade> cursor = trades.cursor();
        try (OutputStream out = Files.newOutputStream(file)) {
            rows.forEach(row -> {
                json.write(cursor.moveTo(row).element(), text);
                text.append('\n');
                if (text.length() >= CHUNK_BYTES) {
                    flush(text, out);
                }
            });
            flush(text, out);
        }
    }

    private static void flush(TextBuffer text, OutputStream out) {
        try {
            text.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        text.clear();
    }

    private static void flush(StringBuilder text, OutputStream out) {
        try {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        text.setLength(0);
    }
}
