package io.slipstream.cluster.copy;

import io.slipstream.cluster.files.Recording;
import io.slipstream.cluster.files.Recordings;
import io.slipstream.cluster.files.TermEntry;
import io.slipstream.cluster.files.Terms;
import io.slipstream.cluster.wire.SealedOutput;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Sends what the leader has to a member that lacks it, while the leader goes on. For one thread. */
public final class CopySource implements AutoCloseable {
    private final Office office;
    private final long asked;
    private final Selection selection;

    private CopySource(Office office, long asked, Selection selection) {
        this.office = office;
        this.asked = asked;
        this.selection = selection;
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
        try {
            return new CopySource(office, asked, Selection.of(archive, recordings, terms, end));
        } catch (NoSuchFileException e) {
            throw new Unable("it has just removed what would have been copied: " + e.getMessage());
        }
    }

    private void send(SealedOutput out) throws IOException {
        byte[] encoded = selection.manifest().encode();
        out.write(Kind.MANIFEST, encoded, encoded.length);
        try {
            for (int i = 0; i < selection.files().size(); i++) {
                selection.read(i, (bytes, length) -> out.write(Kind.BYTES, bytes, length));
            }
        } catch (EOFException e) {
            throw new Unable("it has just cut what would have been copied: " + e.getMessage());
        }
        /* A leader that was stopped may not know that another one came, and lack what was answered since. And what
        another leader did not get might have been cut while it was read. */
        if (!office.hasSign(asked) || office.term() != selection.manifest().term()) {
            throw new Unable("it has lost its office, or the majority, meanwhile");
        }
    }

    @Override
    public void close() {
        selection.close();
    }

    /** There is no copy, for a reason that the other side should hear. */
    private static final class Unable extends IOException {
        private static final long serialVersionUID = 1;

        Unable(String message) {
            super(message);
        }
    }
}
