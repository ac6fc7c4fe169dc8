package io.slipstream.service.security;

import io.slipstream.core.text.SettingsText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.security.auth.x500.X500Principal;

/**
 * Clients in a text file, one a line, that is read again when it changes:
 *
 * <pre>
 *   # who    shows                      may                      from when on not, and how much
 *   alice    token 9f86d081884c7d65...  may command query        until 2027-01-01T00:00:00Z
 *   ticker   certificate CN=ticker      may query subscribe      rate 1000 bytes 1000000 in-flight 64
 *   teller   token 60303ae22b998861...  may command:3 command:4
 *   acme     certificate "CN=feed,O=Acme Corp"
 * </pre>
 *
 * A token stands there as its SHA-256 ({@link #hash}), so the file gives no secret away; choose tokens at random, with
 * 16 bytes or more. A certificate is named by its subject; what has a space or a {@code #} in it is put in quotes.
 * {@code command:3} is the right to commands whose record has the schema's id 3. Without {@code may} everything is
 * allowed. The file is in UTF-8.
 *
 * <p>If a file cannot be understood after a change, the list before it stays in force, with all whom it lets in, and
 * the system's logger {@code io.slipstream.service.access} warns with the file and the line.
 */
public final class AccessFile implements Authenticator {
    private static final System.Logger LOG = System.getLogger("io.slipstream.service.access");
    private static final long LOOK_NANOS = 500_000_000;

    private final Path file;
    private Map<String, Identity> byCredential = Map.of();
    private FileTime readFrom = FileTime.fromMillis(0);
    private long nextLookNanos;
    private String warned = "";
    private final Consumer<String> warnings;

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, or a line cannot be understood; the message names it
     */
    public AccessFile(Path file) throws IOException {
        this(file, warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    AccessFile(Path file, Consumer<String> warnings) throws IOException {
        this.file = file;
        this.warnings = warnings;
        this.nextLookNanos = System.nanoTime() + LOOK_NANOS;
        readFrom = Files.getLastModifiedTime(file);
        byCredential = read(file);
    }

    /** Returns what the file has in place of {@code token}. */
    public static String hash(byte[] token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As {@link #hash(byte[])}, of a text in UTF-8. */
    public static String hash(String token) {
        return hash(token.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized Identity authenticate(Credentials credentials) throws DeniedException {
        lookAgain();
        Identity identity = find(credentials);
        if (!Instant.now().isBefore(identity.until())) {
            throw new DeniedException(
                    "the credentials of " + identity.principal() + " have expired at " + identity.until());
        }
        return identity;
    }

    private Identity find(Credentials credentials) throws DeniedException {
        if (credentials.token().length > 0) {
            Identity found = byCredential.get(AccessLine.token(hash(credentials.token())));
            if (found == null) {
                throw new DeniedException("nobody has this token");
            }
            return found;
        }
        if (credentials.certificates().isEmpty()) {
            throw new DeniedException("neither a token nor a certificate");
        }
        X500Principal subject = credentials.certificates().getFirst().getSubjectX500Principal();
        Identity found = byCredential.get(AccessLine.certificate(subject));
        if (found == null) {
            throw new DeniedException("nobody has the certificate of " + subject.getName());
        }
        return found;
    }

    private void lookAgain() {
        long now = System.nanoTime();
        if (now - nextLookNanos < 0) {
            return;
        }
        nextLookNanos = now + LOOK_NANOS;
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            if (!changed.equals(readFrom)) {
                byCredential = read(file);
                readFrom = changed;
            }
            warned = "";
        } catch (IOException e) {
            String warning = "the list of clients has changed and cannot be read; the one before stays in force: "
                    + (e instanceof NoSuchFileException ? "there is no file " + file : e.getMessage());
            if (!warning.equals(warned)) {
                warned = warning;
                warnings.accept(warning);
            }
        }
    }

    private static Map<String, Identity> read(Path file) throws IOException {
        Map<String, Identity> found = new HashMap<>();
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            try {
                Deque<String> words = AccessLine.words(lines.get(i));
                if (words.isEmpty()) {
                    continue;
                }
                AccessLine parsed = AccessLine.parse(words);
                if (found.putIfAbsent(parsed.credential(), parsed.identity()) != null) {
                    throw new IllegalArgumentException("another line has the same " + parsed.credential());
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ", line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return found;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return SettingsText.read(file).lines().toList();
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not in UTF-8", e);
        }
    }
}
