package io.slipstream.cluster.copy;

import io.slipstream.cluster.files.TermEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a copy consists of.
 *
 * @param term    in which the leader was in office
 * @param end     of its log, committed or not
 * @param catalog of the recordings
 * @param entries terms and snapshots
 * @param pieces  files of the recordings, in the order in which they come
 */
record Manifest(long term, long end, byte[] catalog, List<TermEntry> entries, List<Piece> pieces) {
    private static final int VERSION = 1;
    private static final int MOST = 1 << 16;

    Manifest {
        entries = List.copyOf(entries);
        pieces = List.copyOf(pieces);
    }

    /** Returns how many bytes of files follow. */
    long bytes() {
        return pieces.stream().mapToLong(Piece::bytes).sum();
    }

    byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        out.writeLong(term);
        out.writeLong(end);
        out.writeInt(catalog.length);
        out.write(catalog);
        out.writeInt(entries.size());
        for (TermEntry entry : entries) {
            out.writeLong(entry.recording());
            out.writeLong(entry.term());
            out.writeLong(entry.base());
            out.writeLong(entry.position());
            out.writeLong(entry.timestamp());
            out.writeInt(entry.service());
            out.writeBoolean(entry.isSnapshot());
        }
        out.writeInt(pieces.size());
        for (Piece piece : pieces) {
            out.writeLong(piece.recording());
            out.writeLong(piece.segment());
            out.writeInt(piece.bytes());
            out.writeInt(piece.length());
        }
        return bytes.toByteArray();
    }

    static Manifest decode(byte[] bytes, int length) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("the leader sends copies of format " + version + ", and this version reads " + VERSION
                    + ": use the same version of Slipstream at both");
        }
        long term = in.readLong();
        long end = in.readLong();
        byte[] catalog = new byte[count(in, length)];
        in.readFully(catalog);
        List<TermEntry> entries = new ArrayList<>();
        for (int left = count(in, MOST); left > 0; left--) {
            entries.add(new TermEntry(
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readBoolean()));
        }
        List<Piece> pieces = new ArrayList<>();
        for (int left = count(in, MOST); left > 0; left--) {
            pieces.add(new Piece(in.readLong(), in.readLong(), in.readInt(), in.readInt()));
        }
        return new Manifest(term, end, catalog, entries, pieces);
    }

    private static int count(DataInputStream in, int most) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > most) {
            throw new IOException("a copy of a log that has " + count + " parts is none");
        }
        return count;
    }
}
