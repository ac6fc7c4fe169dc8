package io.slipstream.cluster.files;

import java.nio.file.Path;

/**
 * A recording of Aeron's archive: a stream of frames in files of the same length.
 *
 * @param id           number in its archive
 * @param start        position of its first byte
 * @param stop         position behind its last byte; {@link #RUNNING} if it is being written, or its writer was killed
 * @param segmentBytes length of each file
 * @param termBytes    of the stream; files begin at multiples of it
 * @param descriptor   its entry in the catalog, byte by byte
 */
public record Recording(long id, long start, long stop, int segmentBytes, int termBytes, byte[] descriptor) {
    /** There is no end yet. */
    public static final long RUNNING = -1;

    /** Returns where the file begins that has the byte at {@code position}. */
    public long segmentOf(long position) {
        long base = start - start % termBytes;
        return base + (position - base) / segmentBytes * segmentBytes;
    }

    /** Returns the file that begins at {@code segment}. */
    public Path file(Path archive, long segment) {
        return archive.resolve(id + "-" + segment + ".rec");
    }
}
