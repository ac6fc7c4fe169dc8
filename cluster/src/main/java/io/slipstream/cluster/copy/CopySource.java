package io.slipstream.cluster.copy;

import io.slipstream.cluster.files.Recording;
import io.slipstream.cluster.files.Recordings;
import io.slipstream.cluster.files.TermEntry;
import io.slipstream.cluster.files.Terms;
import io.slipstream.cluster.wire.SealedOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/** Sends what the leader has to a member that lacks it, while the leader goes on. For one thread. */
public final class CopySource implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 18;

    private final Office office;
    private final long asked;
    private final Manifest manifest;
    private final List<FileChannel> files;

    private CopySource(Office office, long asked, Manifest manifest, List<FileChannel> files) {
        this.office = office;
        this.asked = asked;
        this.manifest = manifest;
        this.files = files;
    }

    /** What the leader knows of itself. Any thread may ask. */
    public interface Office {
        /** Returns the term that this member leads in; -1 if it does not lead. */
        long term();

        /** Asks for a sign that the majority follows; returns what {@link #hasSign} wants to know. */
        long askForSign();

        /** Waits for an entry that was written after {@link #askForSign}; returns whether it was committed. */
        boolean hasSign(long asked);

        /** Returns up to where a recording that is being written has been written. */
        long recorded(long recording) throws IOException;
    }

    /**
     * Sends the last snapshot and the log behind it, or why there is no copy.
     *
     * @param directory of the member
     * @param key       that it is sealed with
     */
    public static void send(Path directory, Office office, OutputStream to, byte[] key) throws IOException {
        SealedOutput out = new SealedOutput(to, key);
        try (CopySource source = open(directory, office)) {
            source.send(out);
        } catch (Unable e) {
            byte[] reason = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
            out.write(Kind.REFUSED, reason, reason.length);
        }
        out.seal();
    }

    private static CopySource open(Path directory, Office office) throws IOException {
        long term = office.term();
        if (term < 0) {
            throw new Unable("it is not the leader");
        }
        long asked = office.askForSign();
        Path archive = directory.resolve("archive");
        Terms terms = Terms.read(directory.resolve("cluster"));
        TermEntry last = terms.last();
        Recordings recordings = Recordings.read(archive);
        Recording log = recordings.get(last.recording());
        if (last.term() != term || log.stop() != Recording.RUNNING) {
            throw new Unable("it has only just become the leader");
        }
        long end = office.recorded(log.id());
        if (office.term() != term) {
            throw new Unable("it is no longer the leader");
        }
        Terms needed = terms.sinceLastSnapshot();
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
            Manifest manifest = new Manifest(term, end, recordings.only(copied), needed.all(), pieces);
            return new CopySource(office, asked, manifest, files);
        } catch (NoSuchFileException e) {
            CloseHelper.quietCloseAll(files);
            throw new Unable("it has just removed what would have been copied: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            CloseHelper.quietCloseAll(files);
            throw e;
        }
    }

    /* A file that is open can be read to its end, even if it is removed meanwhile. */
    private static void open(Path archive, Recording recording, long stop, List<Piece> pieces, List<FileChannel> files)
            throws IOException {
        for (long at = recording.segmentOf(recording.start()); at < stop; at += recording.segmentBytes()) {
            files.add(FileChannel.open(recording.file(archive, at), StandardOpenOption.READ));
            int bytes = (int) Math.min(recording.segmentBytes(), stop - at);
            pieces.add(new Piece(recording.id(), at, bytes, recording.segmentBytes()));
        }
    }

    private void send(SealedOutput out) throws IOException {
        byte[] encoded = manifest.encode();
        out.write(Kind.MANIFEST, encoded, encoded.length);
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        for (int i = 0; i < files.size(); i++) {
            Piece piece = manifest.pieces().get(i);
            for (int at = 0; at < piece.bytes(); at += chunk.limit()) {
                chunk.clear().limit(Math.min(chunk.capacity(), piece.bytes() - at));
                while (chunk.hasRemaining()) {
                    if (files.get(i).read(chunk, at + (long) chunk.position()) < 0) {
                        throw new Unable("its file " + piece.name() + " ends before byte " + piece.bytes());
                    }
                }
                out.write(Kind.BYTES, chunk.array(), chunk.limit());
            }
        }
        /* A leader that was stopped may not know that another one came, and lack what was answered since. And what
        another leader did not get might have been cut while it was read. */
        if (!office.hasSign(asked) || office.term() != manifest.term()) {
            throw new Unable("it has lost its office, or the majority, meanwhile");
        }
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(files);
    }

    /** There is no copy, for a reason that the other side should hear. */
    private static final class Unable extends IOException {
        private static final long serialVersionUID = 1;

        Unable(String message) {
            super(message);
        }
    }
}
