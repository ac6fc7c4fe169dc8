package io.slipstream.lab.experiment.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * What the pages of a round hold: each its number, and then the round's mark in every byte. They are made before
 * the clock starts: only the number changes from page to page. While it runs, both ends of a page that was read are
 * looked at, so that one that is missing, old or half shows; {@link #checkAll} looks at all bytes when it has
 * stopped.
 */
final class FilePages {
    /** Bytes of a page. */
    static final int PAGE = 4096;

    private static final int PIECE = 256 * PAGE;

    private final long count;
    private final byte[] out = new byte[PAGE];
    private final ByteBuffer outOnHeap = ByteBuffer.wrap(out);
    private final ByteBuffer outDirect = ByteBuffer.allocateDirect(PAGE);
    private final byte[] in = new byte[PAGE];
    private final ByteBuffer inOnHeap = ByteBuffer.wrap(in);
    private final ByteBuffer inDirect = ByteBuffer.allocateDirect(PAGE);
    private long end;
    private long good;

    FilePages(long count) {
        this.count = count;
    }

    void begin(int mark) {
        Arrays.fill(out, (byte) mark);
        outDirect.clear().put(out);
        end = outOnHeap.getLong(PAGE - Long.BYTES);
        good = 0;
    }

    long count() {
        return count;
    }

    /** Returns what page {@code number} holds; until the next call. */
    byte[] bytes(long number) {
        outOnHeap.putLong(0, number);
        return out;
    }

    /** As {@link #bytes}, outside the heap. */
    ByteBuffer direct(long number) {
        return outDirect.putLong(0, number).clear();
    }

    /** Where a page is to be read to, before {@link #checkBytes}. */
    byte[] toBytes() {
        return in;
    }

    /** Where a page is to be read to, before {@link #checkDirect}. */
    ByteBuffer toDirect() {
        return inDirect.clear();
    }

    void checkBytes(long number) {
        check(number, inOnHeap);
    }

    void checkDirect(long number) {
        check(number, inDirect);
    }

    private void check(long number, ByteBuffer read) {
        good += read.getLong(0) == number && read.getLong(PAGE - Long.BYTES) == end ? 1 : 0;
    }

    long good() {
        return good;
    }

    /** How many pages of the file hold what they should, in every byte. */
    long checkAll(Path file) throws IOException {
        long same = 0;
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long number = 0; number < count; ) {
                piece.clear();
                while (piece.hasRemaining() && channel.read(piece) >= 0) {}
                piece.flip();
                if (piece.remaining() < PAGE) {
                    return same;
                }
                for (; piece.remaining() >= PAGE; number++) {
                    same += direct(number).equals(piece.slice(piece.position(), PAGE)) ? 1 : 0;
                    piece.position(piece.position() + PAGE);
                }
            }
        }
        return same;
    }
}
