package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A page a call: bytes through a buffer on the heap, as in the article; pages from and to memory outside of it. */
final class ByChannel implements FileWay {
    @Override
    public long writeBytes(Path file, FilePages pages) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(FilePages.PAGE);
        long sum = 0;
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long i = 0; i < pages.count(); i++) {
                byte[] page = pages.bytes(i);
                for (int j = 0; j < FilePages.PAGE; j++) {
                    byte one = page[j];
                    sum += one;
                    buffer.put(one);
                }
                buffer.flip();
                out.write(buffer);
                buffer.clear();
            }
        }
        return sum;
    }

    @Override
    public long readBytes(Path file, FilePages pages) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(pages.toBytes());
        long sum = 0;
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long i = 0; i < pages.count(); i++) {
                in.read(buffer.clear());
                buffer.flip();
                while (buffer.hasRemaining()) {
                    sum += buffer.get();
                }
                pages.checkBytes(i);
            }
        }
        return sum;
    }

    @Override
    public void writePages(Path file, FilePages pages) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long i = 0; i < pages.count(); i++) {
                out.write(pages.direct(i));
            }
        }
    }

    @Override
    public void readPages(Path file, FilePages pages) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long i = 0; i < pages.count(); i++) {
                in.read(pages.toDirect());
                pages.checkDirect(i);
            }
        }
    }
}
