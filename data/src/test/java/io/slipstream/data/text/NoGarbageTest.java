package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Whatever is written or read again and again, nothing is allocated for it. */
class NoGarbageTest {
    private static final int ROUNDS = 20_000;
    private static final long NOISE = 20_000;

    private static long allocatedBy(Step step) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < ROUNDS; i++) {
            step.run(i);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
            step.run(i);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @FunctionalInterface
    private interface Step {
        void run(int round) throws IOException;
    }

    @Test
    void numbersInArraysAndSegments() throws IOException {
        byte[] buffer = new byte[64];
        SegmentText segments = new SegmentText();
        MemorySegment segment = MemorySegment.ofArray(new byte[64]);
        assertThat(allocatedBy(round -> {
                    double value = round * 1.1e-5;
                    if (DoubleText.parse(buffer, 0, DoubleText.write(value, buffer, 0)) != value
                            || LongText.parse(buffer, 0, LongText.write(round, buffer, 0)) != round
                            || DecimalText.parse(buffer, 0, DecimalText.write(round, 2, buffer, 0), 2) != round
                            || InstantText.parse(buffer, 0, InstantText.write(round, buffer, 0)) != round
                            || segments.parseDouble(segment, 1, segments.writeDouble(value, segment, 1)) != value) {
                        throw new AssertionError("in round " + round);
                    }
                }))
                .isLessThan(NOISE);
    }

    @Test
    void recordsOfCsv() throws IOException {
        TextBuffer text = new TextBuffer(1 << 20);
        CsvWriter writer = new CsvWriter(text, CsvFormat.RFC_4180);
        Ranges ranges = new Ranges();
        assertThat(allocatedBy(round -> {
                    text.clear();
                    writer.field(round).field("a, \"b\"").decimal(round, 4).endRecord();
                    ranges.clear();
                    SplitText.fields(text.bytes(), 0, text.length(), (byte) ',', ranges);
                }))
                .isLessThan(NOISE);
        text.clear();
        for (int i = 0; i < 3 * ROUNDS; i++) {
            writer.field(i).field("a, \"b\"").decimal(i, 4).endRecord();
        }
        CsvReader reader = CsvReader.of(text.bytes(), 0, text.length(), CsvFormat.RFC_4180);
        assertThat(allocatedBy(round -> {
                    if (!reader.next() || reader.decimalAt(2, 4) != reader.longAt(0)) {
                        throw new AssertionError("in round " + round);
                    }
                }))
                .isLessThan(NOISE);
    }
}
