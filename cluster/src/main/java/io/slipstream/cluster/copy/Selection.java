package io.slipstream.cluster.copy;

import io.slipstream.cluster.files.Recording;
import io.slipstream.cluster.files.Recordings;
import io.slipstream.cluster.files.TermEntry;
import io.slipstream.cluster.files.Terms;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * What a copy takes of a member's folder: the last snapshot, and the log from there on. For one thread.
 *
 * @param files of the manifest's pieces; one that is open can be read to its end, even if it is removed meanwhile
 */
record Selection(Manifest manifest, List<FileChannel> files) implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 18;

    /**
     * Selects it.
     *
     * @param end of the log
     * @throws java.nio.file.NoSuchFileException if the member has just removed a file
     */
    static Selection of(Path archive, Recordings recordings, Terms terms, long end) throws IOException {
        TermEntry last = terms.last();
        Recording log = recordings.get(last.recording());
        List<TermEntry> snapshot = terms.lastSnapshot();
        List<Recording> copied = new ArrayList<>();
        long from = snapshot.isEmpty()
                ? log.start()
                : log.segmentOf(snapshot.getFirst().position());
        Recording tail = from > log.start() ? Recordings.from(from, log) : log;
        copied.add(tail);
        for (TermEntry entry : snapshot) {
            copied.add(recordings.get(entry.recording()));
        }
        List<Piece> pieces = new ArrayList<>();
        List<FileChannel> files = new ArrayList<>();
        try {
            for (Recording recording : copied) {
                long stop = recording == tail ? end : recording.stop();
                open(archive, recording, stop, pieces, files);
            }
            Manifest manifest = new Manifest(
                    last.term(),
                    end,
                    recordings.only(copied),
                    terms.sinceLastSnapshot().all(),
                    pieces);
            return new Selection(manifest, files);
        } catch (IOException | RuntimeException e) {
            CloseHelper.quietCloseAll(files);
            throw e;
        }
    }

    private static void open(Path archive, Recording recording, long stop, List<Piece> pieces, List<FileChannel> files)
            throws IOException {
        for (long at = recording.segmentOf(recording.start()); at < stop; at += recording.segmentBytes()) {
            files.add(FileChannel.open(recording.file(archive, at), StandardOpenOption.READ));
            int bytes = (int) Math.min(recording.segmentBytes(), stop - at);
            pieces.add(new Piece(recording.id(), at, bytes, recording.segmentBytes()));
        }
    }

    /** Passes the bytes of one of the pieces. */
    void read(int number, Chunks chunks) throws IOException {
        Piece piece = manifest.pieces().get(number);
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        for (int at = 0; at < piece.bytes(); at += chunk.limit()) {
            chunk.clear().limit(Math.min(chunk.capacity(), piece.bytes() - at));
            while (chunk.hasRemaining()) {
                if (files.get(number).read(chunk, at + (long) chunk.position()) < 0) {
                    throw new EOFException("its file " + piece.name() + " ends before byte " + piece.bytes());
                }
            }
            chunks.onChunk(chunk.array(), chunk.limit());
        }
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(files);
    }

    /** Is passed one chunk after the other. */
    @FunctionalInterface
    interface Chunks {
        /** Called for each; it is good until this returns. */
        void onChunk(byte[] bytes, int length) throws IOException;
    }
}
