package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Whatever is written or read again and again, nothing is allocated for it. */
class NoGarbageTest {
    private static final int ROUNDS = 20_000;

    @Test
    void numbersInArraysAndSegments() throws Exception {
        byte[] buffer = new byte[64];
        SegmentText segments = new SegmentText();
        MemorySegment segment = MemorySegment.ofArray(new byte[64]);
        Allocations.none(ROUNDS, round -> {
            double value = round * 1.1e-5;
            if (DoubleText.parse(buffer, 0, DoubleText.write(value, buffer, 0)) != value
                    || LongText.parse(buffer, 0, LongText.write(round, buffer, 0)) != round
                    || DecimalText.parse(buffer, 0, DecimalText.write(round, 2, buffer, 0), 2) != round
                    || InstantText.parse(buffer, 0, InstantText.write(round, buffer, 0)) != round
                    || segments.parseDouble(segment, 1, segments.writeDouble(value, segment, 1)) != value) {
                throw new AssertionError("in round " + round);
            }
        });
    }

    @Test
    void recordsOfCsv() throws Exception {
        TextBuffer text = new TextBuffer(1 << 20);
        CsvWriter writer = new CsvWriter(text, CsvFormat.RFC_4180);
        Ranges ranges = new Ranges();
        Allocations.none(ROUNDS, round -> {
            text.clear();
            writer.field(round).field("a, \"b\"").decimal(round, 4).endRecord();
            ranges.clear();
            SplitText.fields(text.bytes(), 0, text.length(), (byte) ',', ranges);
        });
        text.clear();
        for (int i = 0; i < ROUNDS; i++) {
            writer.field(i).field("a, \"b\"").decimal(i, 4).endRecord();
        }
        // Each round has a reader of its own, with a window of 64 KiB; an object a record would be 320,000 bytes.
        long enough = 100_000;
        assertThat(Allocations.least(enough, () -> {
                    CsvReader reader = CsvReader.of(text.bytes(), 0, text.length(), CsvFormat.RFC_4180);
                    for (int i = 0; i < ROUNDS; i++) {
                        if (!reader.next() || reader.decimalAt(2, 4) != reader.longAt(0)) {
                            throw new AssertionError("in record " + i);
                        }
                    }
                }))
                .isLessThanOrEqualTo(enough);
    }
}
