package io.slipstream.journal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A write past the page cache that ends within a block is gone on with at the beginning of that block. */
class ShortDirectWriteTest {
    @Test
    void goesOnAtAWholeBlock() throws IOException {
        byte[] content = new byte[5 * 4096];
        Arrays.fill(content, (byte) 7);
        ShortFile file = new ShortFile();
        file.writeFully(ByteBuffer.wrap(content), 4096);
        assertThat(Arrays.copyOfRange(file.bytes, 4096, 6 * 4096)).isEqualTo(content);
    }

    private static final class ShortFile implements StorageFile {
        private final byte[] bytes = new byte[8 * 4096];

        @Override
        public String name() {
            return "short";
        }

        @Override
        public int writeUnit() {
            return 4096;
        }

        @Override
        public int write(ByteBuffer source, long position) {
            assertThat(position % 4096).isZero();
            assertThat(source.remaining() % 4096).isZero();
            int count = Math.min(source.remaining(), 4096 + 512);
            source.get(bytes, (int) position, count);
            return count;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void force() {}

        @Override
        public void truncate(long size) {}

        @Override
        public void close() {}
    }
}
