package io.slipstream.cluster.copy;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.files.Recording;
import io.slipstream.cluster.files.Recordings;
import io.slipstream.cluster.files.TermEntry;
import io.slipstream.cluster.wire.ControlCall;
import io.slipstream.cluster.wire.Seal;
import io.slipstream.cluster.wire.SealedInput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Fetches a copy from one member into a folder of its own, checks it, and puts it in its place. For one thread. */
public final class CopyFetch {
    /** How long the other side may be silent. */
    static final Duration SILENCE = Duration.ofSeconds(20);

    /** What the other side is asked for, with a nonce behind it. */
    static final String COMMAND = "copy ";

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final int NONCE_BYTES = 16;

    private final Path directory;
    private final long own;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates a fetch.
     *
     * @param directory of the member
     * @param own       where the log ends that the member has; -1 if it has none
     */
    public CopyFetch(Path directory, long own) {
        this.directory = directory;
        this.own = own;
    }

    /**
     * Fetches a copy; the member has it when this returns, and what it had before if this throws.
     *
     * @param heard is run when the other side has begun to send
     * @throws OwnDiskException if the member itself cannot keep it
     * @throws IOException      if the other member does not lead, sends something else, or cannot be reached any more
     */
    public void from(MemberAddress leader, @Nullable String token, Runnable heard) throws IOException {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        String command = COMMAND + HexFormat.of().formatHex(nonce);
        try (ControlCall call = new ControlCall(leader, token, CONNECT)) {
            call.ask(command, SILENCE);
            SealedInput in = new SealedInput(call.input(), Seal.key(token, call.challenge(), command));
            Manifest manifest = manifest(in);
            heard.run();
            fill(manifest, in);
        } catch (IOException | RuntimeException e) {
            Installation.abandon(directory);
            throw e;
        }
        own(() -> Installation.commit(directory));
    }

    private Manifest manifest(SealedInput in) throws IOException {
        requireGranted(in, in.next(), Kind.MANIFEST);
        Manifest manifest;
        try {
            manifest = Manifest.decode(in.bytes(), in.length());
        } catch (IllegalArgumentException e) {
            throw new IOException("what was sent is no copy of a log: " + e.getMessage(), e);
        }
        Recordings recordings = Recordings.of(manifest.catalog());
        for (TermEntry entry : manifest.entries()) {
            recordings.get(entry.recording());
        }
        for (Piece piece : manifest.pieces()) {
            Recording of = recordings.get(piece.recording());
            if (of.segmentOf(Math.max(of.start(), piece.segment())) != piece.segment()
                    || of.segmentBytes() != piece.length()) {
                throw new IOException("what was sent is no copy of a log: it has a file " + piece.name());
            }
        }
        if (manifest.end() < own) {
            throw new IOException(
                    "the log of the leader ends at " + manifest.end() + ", and the one of this member at " + own);
        }
        return manifest;
    }

    private static void requireGranted(SealedInput in, boolean isMessage, byte kind) throws IOException {
        if (isMessage && in.kind() == Kind.REFUSED) {
            throw new IOException(new String(in.bytes(), 0, in.length(), StandardCharsets.UTF_8));
        }
        if (!isMessage || in.kind() != kind) {
            throw new IOException("what was sent is no copy of a log: something is missing");
        }
    }

    private void fill(Manifest manifest, SealedInput in) throws IOException {
        Path fresh = own(() -> Installation.begin(directory));
        own(() -> Description.requireRoom(manifest, fresh));
        for (Piece piece : manifest.pieces()) {
            receive(piece, fresh.resolve("archive").resolve(piece.name()), in);
        }
        boolean isMore = in.next();
        if (isMore) {
            requireGranted(in, true, Kind.REFUSED);
        }
        own(() -> Description.write(manifest, fresh, directory));
    }

    private static void receive(Piece piece, Path file, SealedInput in) throws IOException {
        try (RandomAccessFile out = own(() -> new RandomAccessFile(file.toFile(), "rw"))) {
            int received = 0;
            while (received < piece.bytes()) {
                requireGranted(in, in.next(), Kind.BYTES);
                if (in.length() == 0 || in.length() > piece.bytes() - received) {
                    throw new IOException("what was sent is no copy of a log: " + piece.name() + " has other bytes");
                }
                own(() -> out.write(in.bytes(), 0, in.length()));
                if (Thread.currentThread().isInterrupted()) {
                    throw new IOException("interrupted while the log of the leader was copied; start the member again");
                }
                received += in.length();
            }
            own(() -> {
                out.setLength(piece.length());
                out.getFD().sync();
            });
        }
    }

    private static <T> T own(Call<T> call) throws OwnDiskException {
        try {
            return call.call();
        } catch (IOException | RuntimeException e) {
            throw new OwnDiskException(e);
        }
    }

    private static void own(Work work) throws OwnDiskException {
        own(() -> {
            work.run();
            return true;
        });
    }

    private interface Call<T> {
        T call() throws IOException;
    }

    private interface Work {
        void run() throws IOException;
    }

    /** The member itself cannot keep a copy; another attempt would end as this one. */
    public static final class OwnDiskException extends IOException {
        private static final long serialVersionUID = 1;

        OwnDiskException(Exception cause) {
            super("the copy of the log cannot be kept: " + cause.getMessage(), cause);
        }
    }
}
