package io.slipstream.journal.tool;

import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.PayloadFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Payloads: for people as the text of a format that knows them, or else as bytes in hexadecimal beside what is readable
 * of them; for programs as hexadecimal digits, and that text if there is one.
 */
final class PayloadText {
    private static final int BYTES_PER_LINE = 16;

    private final List<PayloadFormat> formats;

    PayloadText(List<PayloadFormat> formats) {
        this.formats = List.copyOf(formats);
    }

    /** Adds the payload of a record to a line about it. */
    Report.Line addTo(Report.Line line, MemorySegment memory, long offset, int length) {
        String text = known(memory, offset, length);
        line.withText(text == null ? dump(memory, offset, length) : text)
                .withJson(
                        "payload",
                        HexFormat.of()
                                .formatHex(memory.asSlice(
                                                offset + JournalRecord.HEADER_BYTES,
                                                length - JournalRecord.HEADER_BYTES)
                                        .toArray(ValueLayout.JAVA_BYTE)));
        return text == null ? line : line.withJson("text", text);
    }

    private @Nullable String known(MemorySegment memory, long offset, int length) {
        for (PayloadFormat format : formats) {
            if (format.knows(JournalRecord.type(memory, offset), JournalRecord.version(memory, offset))) {
                String text = format.toText(memory, offset, length);
                if (text != null) {
                    return text;
                }
            }
        }
        return null;
    }

    private static String dump(MemorySegment memory, long offset, int length) {
        StringBuilder text = new StringBuilder();
        for (int at = JournalRecord.HEADER_BYTES; at < length; at += BYTES_PER_LINE) {
            line(text, memory, offset + at, Math.min(BYTES_PER_LINE, length - at));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, MemorySegment memory, long offset, int bytes) {
        StringBuilder readable = new StringBuilder();
        for (int i = 0; i < BYTES_PER_LINE; i++) {
            if (i < bytes) {
                byte value = memory.get(ValueLayout.JAVA_BYTE, offset + i);
                text.append(String.format(Locale.ROOT, "%02x ", value));
                readable.append(value >= ' ' && value < 127 ? (char) value : '.');
            } else {
                text.append("   ");
            }
        }
        text.append(' ').append(readable).append('\n');
    }
}
