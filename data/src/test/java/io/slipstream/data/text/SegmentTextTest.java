package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SegmentTextTest {
    private final SegmentText text = new SegmentText();

    @Test
    void writesAndReadsAllKindsAtAnyPlace() {
        SplittableRandom random = new SplittableRandom(1);
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 5_000; i++) {
                MemorySegment segment = arena.allocate(40).asSlice(0, 33);
                long value = random.nextLong() >> random.nextInt(64);
                check(segment, text.writeLong(value, segment, 1), Long.toString(value));
                assertThat(text.parseLong(segment, 1, 1 + Long.toString(value).length()))
                        .isEqualTo(value);
                double number = Double.longBitsToDouble(random.nextLong());
                long end = text.writeDouble(number, segment, 1);
                check(segment, end, Double.toString(number));
                assertThat(text.parseDouble(segment, 1, end)).isEqualTo(Double.valueOf(number));
                end = text.writeDecimal(value, 3, segment, 1);
                assertThat(text.parseDecimal(segment, 1, end, 3)).isEqualTo(value);
                end = text.writeInstant(value, segment, 1);
                assertThat(text.parseInstant(segment, 1, end)).isEqualTo(value);
                end = text.writeHex(value, segment, 1);
                assertThat(text.parseHex(segment, 1, end)).isEqualTo(value);
                end = text.writeBoolean(value > 0, segment, 1);
                assertThat(text.parseBoolean(segment, 1, end)).isEqualTo(value > 0);
            }
        }
    }

    private static void check(MemorySegment segment, long end, String expected) {
        byte[] bytes = segment.asSlice(1, end - 1).toArray(ValueLayout.JAVA_BYTE);
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).isEqualTo(expected);
    }

    @Test
    void changesNothingBehindTheText() {
        MemorySegment segment = MemorySegment.ofArray(new byte[32]).fill((byte) '!');
        long end = text.writeLong(1_234_567_890_123L, segment, 5);
        assertThat(end).isEqualTo(18);
        assertThat(segment.get(ValueLayout.JAVA_BYTE, 4)).isEqualTo((byte) '!');
        assertThat(segment.get(ValueLayout.JAVA_BYTE, 18)).isEqualTo((byte) '!');
    }

    @Test
    void readsTextsOfAnyLength() {
        MemorySegment segment = MemorySegment.ofArray(Bytes.of("x" + "0".repeat(200) + "7.5x"));
        assertThat(text.parseDouble(segment, 1, 204)).isEqualTo(7.5);
    }

    @Test
    void positionsOfErrorsAreOffsetsInTheSegment() {
        MemorySegment segment = MemorySegment.ofArray(Bytes.of("id=12x4"));
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> text.parseLong(segment, 3, 7))
                .withMessage("expected a digit at position 5, found 'x' in '12x4'");
    }

    @Test
    void refusesARangeThatIsNotInTheSegment() {
        MemorySegment segment = MemorySegment.ofArray(new byte[8]);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> text.parseLong(segment, 3, 9));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> text.writeLong(123_456_789, segment, 0));
    }
}
