package io.slipstream.journal.tool;

import io.slipstream.journal.PayloadFormat;
import io.slipstream.journal.Record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Payloads as text: by a format that knows them, or else as bytes in hexadecimal beside what is readable of them. */
final class PayloadText {
    private static final int BYTES_PER_LINE = 16;

    private final List<PayloadFormat> formats;

    PayloadText(List<PayloadFormat> formats) {
        this.formats = List.copyOf(formats);
    }

    String of(MemorySegment memory, long offset, int length) {
        for (PayloadFormat format : formats) {
            if (format.knows(Record.type(memory, offset), Record.version(memory, offset))) {
                String text = format.toText(memory, offset, length);
                if (text != null) {
                    return text;
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (int at = Record.HEADER_BYTES; at < length; at += BYTES_PER_LINE) {
            line(text, memory, offset + at, Math.min(BYTES_PER_LINE, length - at));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, MemorySegment memory, long offset, int bytes) {
        StringBuilder readable = new StringBuilder();
        for (int i = 0; i < BYTES_PER_LINE; i++) {
            if (i < bytes) {
                byte value = memory.get(ValueLayout.JAVA_BYTE, offset + i);
                text.append(String.format("%02x ", value));
                readable.append(value >= ' ' && value < 127 ? (char) value : '.');
            } else {
                text.append("   ");
            }
        }
        text.append(' ').append(readable).append('\n');
    }
}
