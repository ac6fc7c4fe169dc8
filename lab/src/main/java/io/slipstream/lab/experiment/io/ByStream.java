package io.slipstream.lab.experiment.io;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Opened so that the file stays as long as it is: {@code new FileOutputStream(file)} would allocate it anew. Kept
 * in fields as a program would: as local variables they wrote eight times as fast in some forks and not in others,
 * presumably where the compiler merged the locks of several bytes. Why was not looked into.
 */
final class ByStream implements FileWay {
    private OutputStream out = OutputStream.nullOutputStream();
    private InputStream in = InputStream.nullInputStream();

    @Override
    public void write(Path file, FilePages pages) throws IOException {
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw");
                OutputStream opened = new BufferedOutputStream(new FileOutputStream(whole.getFD()), FilePages.PAGE)) {
            out = opened;
            for (long i = 0; i < pages.count(); i++) {
                byte[] page = pages.bytes(i);
                for (int j = 0; j < FilePages.PAGE; j++) {
                    out.write(page[j]);
                }
            }
        }
    }

    @Override
    public void read(Path file, FilePages pages) throws IOException {
        byte[] page = pages.toBytes();
        try (InputStream opened = new BufferedInputStream(new FileInputStream(file.toFile()), FilePages.PAGE)) {
            in = opened;
            for (long i = 0; i < pages.count(); i++) {
                for (int j = 0; j < FilePages.PAGE; j++) {
                    page[j] = (byte) in.read();
                }
                pages.checkBytes(i);
            }
        }
    }
}
