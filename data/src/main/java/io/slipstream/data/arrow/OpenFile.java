package io.slipstream.data.arrow;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file that is read from any place on. An interrupt does not close it, as it does a channel. */
final class OpenFile extends InputStream {
    private final RandomAccessFile file;

    OpenFile(Path path) throws IOException {
        this.file = new RandomAccessFile(path.toFile(), "r");
    }

    long length() throws IOException {
        return file.length();
    }

    void seek(long place) throws IOException {
        file.seek(place);
    }

    @Override
    public int read() throws IOException {
        return file.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return file.read(to, offset, length);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
