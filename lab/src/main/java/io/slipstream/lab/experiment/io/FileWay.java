package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.file.Path;

/** One of the four ways to write and to read a file in order. */
interface FileWay {
    /** Writes all pages into the file, which is there and as long as they are. */
    void write(Path file, FilePages pages) throws IOException;

    /** Reads all pages, and has each checked. */
    void read(Path file, FilePages pages) throws IOException;

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
