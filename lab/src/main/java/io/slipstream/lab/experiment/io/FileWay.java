package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.file.Path;

/**
 * One of the four ways to write and to read a file in order, in two forms. Byte by byte is that of the article: the
 * program passes each byte by hand, and adds it to a checksum. Page by page hands over what is there.
 */
interface FileWay {
    /** Writes all pages into the file, which is there and as long as they are; returns the sum of their bytes. */
    long writeBytes(Path file, FilePages pages) throws IOException;

    /** Reads all pages, and has each checked; returns the sum of their bytes. */
    long readBytes(Path file, FilePages pages) throws IOException;

    /** Writes all pages into the file, which is there and as long as they are. */
    void writePages(Path file, FilePages pages) throws IOException;

    /** Reads all pages, and has each checked. */
    void readPages(Path file, FilePages pages) throws IOException;

    static FileWay randomAccess() {
        return new ByRandomAccess();
    }

    static FileWay streams() {
        return new ByStream();
    }

    static FileWay channel() {
        return new ByChannel();
    }

    static FileWay mapping() {
        return new ByMapping();
    }
}
