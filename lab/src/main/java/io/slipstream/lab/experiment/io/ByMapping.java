package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Maps the file, a gibibyte at a time: byte after byte into it and out of it, or a copy of page after page. */
final class ByMapping implements FileWay {
    private static final long MAPPING = 1L << 30;

    @Override
    public long writeBytes(Path file, FilePages pages) throws IOException {
        long sum = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer mapped = ByteBuffer.allocate(0);
            for (long i = 0; i < pages.count(); i++) {
                if (!mapped.hasRemaining()) {
                    mapped = map(channel, FileChannel.MapMode.READ_WRITE, i * FilePages.PAGE, pages.count());
                }
                byte[] page = pages.bytes(i);
                for (int j = 0; j < FilePages.PAGE; j++) {
                    byte one = page[j];
                    sum += one;
                    mapped.put(one);
                }
            }
        }
        return sum;
    }

    @Override
    public long readBytes(Path file, FilePages pages) throws IOException {
        byte[] page = pages.toBytes();
        long sum = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer mapped = ByteBuffer.allocate(0);
            for (long i = 0; i < pages.count(); i++) {
                if (!mapped.hasRemaining()) {
                    mapped = map(channel, FileChannel.MapMode.READ_ONLY, i * FilePages.PAGE, pages.count());
                }
                for (int j = 0; j < FilePages.PAGE; j++) {
                    byte one = mapped.get();
                    sum += one;
                    page[j] = one;
                }
                pages.checkBytes(i);
            }
        }
        return sum;
    }

    @Override
    public void writePages(Path file, FilePages pages) throws IOException {
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
    public void readPages(Path file, FilePages pages) throws IOException {
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
