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
    public long writeBytes(Path file, FilePages pages) throws IOException {
        long sum = 0;
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw");
                OutputStream opened = new BufferedOutputStream(new FileOutputStream(whole.getFD()), FilePages.PAGE)) {
            out = opened;
            for (long i = 0; i < pages.count(); i++) {
                byte[] page = pages.bytes(i);
                for (int j = 0; j < FilePages.PAGE; j++) {
                    byte one = page[j];
                    sum += one;
                    out.write(one);
                }
            }
        }
        return sum;
    }

    @Override
    public long readBytes(Path file, FilePages pages) throws IOException {
        byte[] page = pages.toBytes();
        long sum = 0;
        try (InputStream opened = new BufferedInputStream(new FileInputStream(file.toFile()), FilePages.PAGE)) {
            in = opened;
            for (long i = 0; i < pages.count(); i++) {
                for (int j = 0; j < FilePages.PAGE; j++) {
                    byte one = (byte) in.read();
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
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw");
                OutputStream opened = new BufferedOutputStream(new FileOutputStream(whole.getFD()), FilePages.PAGE)) {
            for (long i = 0; i < pages.count(); i++) {
                opened.write(pages.bytes(i));
            }
        }
    }

    @Override
    public void readPages(Path file, FilePages pages) throws IOException {
        try (InputStream opened = new BufferedInputStream(new FileInputStream(file.toFile()), FilePages.PAGE)) {
            for (long i = 0; i < pages.count(); i++) {
                opened.readNBytes(pages.toBytes(), 0, FilePages.PAGE);
                pages.checkBytes(i);
            }
        }
    }
}
