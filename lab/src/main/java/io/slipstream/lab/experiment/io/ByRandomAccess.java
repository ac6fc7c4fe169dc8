package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Reads and writes a page a call. */
final class ByRandomAccess implements FileWay {
    @Override
    public void write(Path file, FilePages pages) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            for (long i = 0; i < pages.count(); i++) {
                out.write(pages.bytes(i));
            }
        }
    }

    @Override
    public void read(Path file, FilePages pages) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            for (long i = 0; i < pages.count(); i++) {
                in.readFully(pages.toBytes());
                pages.checkBytes(i);
            }
        }
    }
}
