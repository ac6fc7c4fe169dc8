package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Maps the file, a gibibyte at a time, and copies page after page. */
final class ByMapping implements FileWay {
    private static final long MAPPING = 1L << 30;

    @Override
    public void write(Path file, FilePages pages) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer mapped = ByteBuffer.allocate(0);
            for (long i = 0; i < pages.count(); i++) {
                if (!mapped.hasRemaining()) {
                    mapped = map(channel, FileChannel.MapMode.READ_WRITE, i * FilePages.PAGE, pages.count());
                }
                mapped.put(pages.direct(i));
            }
        }
    }

    @Override
    public void read(Path file, FilePages pages) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer mapped = ByteBuffer.allocate(0);
            for (long i = 0; i < pages.count(); i++) {
                if (!mapped.hasRemaining()) {
                    mapped = map(channel, FileChannel.MapMode.READ_ONLY, i * FilePages.PAGE, pages.count());
                }
                mapped.get(pages.toBytes());
                pages.checkBytes(i);
            }
        }
    }

    private static ByteBuffer map(FileChannel channel, FileChannel.MapMode mode, long from, long pages)
            throws IOException {
        return channel.map(mode, from, Math.min(MAPPING, pages * FilePages.PAGE - from));
    }
}
