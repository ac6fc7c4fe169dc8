package io.slipstream.journal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SegmentHeaderTest {
    /** A checksum that is 0 would say that the header was not written to its end, and the segment would be cut off. */
    @Test
    void isWholeWhateverItsChecksumComesTo() {
        int own = withChecksumZero();
        for (int predecessor : new int[] {own, own + 1, own ^ 1}) {
            SegmentHeader header = header(predecessor);
            ByteBuffer block = ByteBuffer.allocate(SegmentHeader.BYTES);
            header.write(block);
            assertThat(SegmentHeader.kind(block.flip())).isEqualTo(SegmentHeader.Kind.VALID);
            SegmentHeader found = SegmentHeader.read(block);
            assertThat(found.checksum()).isEqualTo(header.checksum()).isNotZero();
            assertThat(found.timeMillis()).isEqualTo(predecessor == own ? 1235 : 1234);
        }
    }

    /**
     * Returns the checksum of a predecessor with which the header's own is 0. A CRC is linear: each bit of the field
     * flips the same bits of the checksum, whatever the others are, so this is a system of 32 equations.
     */
    private static int withChecksumZero() {
        int wanted = header(0).checksum();
        int[] effects = new int[Integer.SIZE];
        int[] causes = new int[Integer.SIZE];
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            int effect = header(1 << bit).checksum() ^ wanted;
            int cause = 1 << bit;
            while (effect != 0 && effects[Integer.numberOfLeadingZeros(effect)] != 0) {
                int leading = Integer.numberOfLeadingZeros(effect);
                effect ^= effects[leading];
                cause ^= causes[leading];
            }
            if (effect != 0) {
                effects[Integer.numberOfLeadingZeros(effect)] = effect;
                causes[Integer.numberOfLeadingZeros(effect)] = cause;
            }
        }
        int solution = 0;
        for (int left = wanted; left != 0; left ^= effects[Integer.numberOfLeadingZeros(left)]) {
            solution ^= causes[Integer.numberOfLeadingZeros(left)];
        }
        return solution;
    }

    private static SegmentHeader header(int predecessorChecksum) {
        return new SegmentHeader(new UUID(1, 2), 3, 1 << 20, 4, 5, 4, 1234, 8192, predecessorChecksum, 4096);
    }
}
