package io.slipstream.data.dump;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Writes the lines of a dump with their bytes in hexadecimal, sixteen a line. Presence bits and gaps have lines of
 * their own.
 */
public final class DumpText implements Consumer<Dump.Line> {
    private static final int A_LINE = 16;

    private final MemorySegment memory;
    private final long base;
    private final Consumer<String> out;
    private final List<Dump.Line> lines = new ArrayList<>();

    /** Creates the writer of a value at {@code base}; {@code out} gets lines with their ends. */
    public DumpText(MemorySegment memory, long base, Consumer<String> out) {
        this.memory = memory;
        this.base = base;
        this.out = out;
    }

    @Override
    public void accept(Dump.Line line) {
        lines.add(line);
    }

    /** Writes all lines that there are, in the order of their bytes. */
    public void end() {
        lines.sort(Comparator.comparingLong(Dump.Line::offset));
        long at = 0;
        for (Dump.Line line : lines) {
            if (line.offset() > at) {
                write(at, (int) (line.offset() - at), "", "presence bits");
            }
            write(line.offset(), line.bytes(), line.field(), line.value());
            at = line.offset() + line.bytes();
        }
        lines.clear();
    }

    private void write(long offset, int bytes, String field, String value) {
        for (int i = 0; i == 0 || i < bytes; i += A_LINE) {
            byte[] some = memory.asSlice(base + offset + i, Math.min(A_LINE, bytes - i))
                    .toArray(ValueLayout.JAVA_BYTE);
            String hex = HexFormat.ofDelimiter(" ").formatHex(some);
            String text = i == 0
                    ? String.format(Locale.ROOT, "%8d  %-47s  %-20s  %s", offset, hex, field, value)
                    : String.format(Locale.ROOT, "%8d  %s", offset + i, hex);
            out.accept(text.stripTrailing() + "\n");
        }
    }
}
