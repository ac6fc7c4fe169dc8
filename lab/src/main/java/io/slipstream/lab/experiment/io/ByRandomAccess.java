package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A page a call, from and to an array of bytes. */
final class ByRandomAccess implements FileWay {
    @Override
    public long writeBytes(Path file, FilePages pages) throws IOException {
        byte[] buffer = new byte[FilePages.PAGE];
        long sum = 0;
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            for (long i = 0; i < pages.count(); i++) {
                byte[] page = pages.bytes(i);
                for (int j = 0; j < FilePages.PAGE; j++) {
                    byte one = page[j];
                    sum += one;
                    buffer[j] = one;
                }
                out.write(buffer);
            }
        }
        return sum;
    }

    @Override
    public long readBytes(Path file, FilePages pages) throws IOException {
        byte[] buffer = pages.toBytes();
        long sum = 0;
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            for (long i = 0; i < pages.count(); i++) {
                in.readFully(buffer);
                for (byte one : buffer) {
                    sum += one;
                }
                pages.checkBytes(i);
            }
        }
        return sum;
    }

    @Override
    public void writePages(Path file, FilePages pages) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            for (long i = 0; i < pages.count(); i++) {
                out.write(pages.bytes(i));
            }
        }
    }

    @Override
    public void readPages(Path file, FilePages pages) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            for (long i = 0; i < pages.count(); i++) {
                in.readFully(pages.toBytes());
                pages.checkBytes(i);
            }
        }
    }
}
