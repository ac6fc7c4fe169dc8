package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads and writes a page a call, from and to memory outside the heap. */
final class ByChannel implements FileWay {
    @Override
    public void write(Path file, FilePages pages) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long i = 0; i < pages.count(); i++) {
                out.write(pages.direct(i));
            }
        }
    }

    @Override
    public void read(Path file, FilePages pages) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long i = 0; i < pages.count(); i++) {
                in.read(pages.toDirect());
                pages.checkDirect(i);
            }
        }
    }
}
