package io.slipstream.service.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Clients in a text file, one a line, that is read again when it changes:
 *
 * <pre>
 *   # who    shows                      may                      from when on not, and how much
 *   alice    token 9f86d081884c7d65...  may command query        until 2027-01-01T00:00:00Z
 *   ticker   certificate CN=ticker      may query subscribe      rate 1000 bytes 1000000 in-flight 64
 *   teller   token 60303ae22b998861...  may command:3 command:4
 * </pre>
 *
 * A token stands there as its SHA-256 ({@link #hash}), so the file gives no secret away; choose tokens at random, with
 * 16 bytes or more. A certificate is named by its subject. {@code command:3} is the right to commands whose record has
 * the schema's id 3. Without {@code may} everything is allowed.
 *
 * <p>A file that cannot be understood after a change lets nobody new in until it is mended.
 */
public final class AccessFile implements Authenticator {
    private static final long LOOK_NANOS = 500_000_000;

    private final Path file;
    private Map<String, Identity> byCredential = Map.of();
    private FileTime readFrom = FileTime.fromMillis(0);
    private long nextLookNanos;
    private String broken = "";

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, or a line cannot be understood; the message names it
     */
    public AccessFile(Path file) throws IOException {
        this.file = file;
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
        if (!broken.isEmpty()) {
            throw new DeniedException(broken);
        }
        Identity identity = find(credentials);
        if (!Instant.now().isBefore(identity.until())) {
            throw new DeniedException(
                    "the credentials of " + identity.principal() + " have expired at " + identity.until());
        }
        return identity;
    }

    private Identity find(Credentials credentials) throws DeniedException {
        if (credentials.token().length > 0) {
            Identity found = byCredential.get("token " + hash(credentials.token()));
            if (found == null) {
                throw new DeniedException("nobody has this token");
            }
            return found;
        }
        if (credentials.certificates().isEmpty()) {
            throw new DeniedException("neither a token nor a certificate");
        }
        String subject =
                credentials.certificates().getFirst().getSubjectX500Principal().getName();
        Identity found = byCredential.get("certificate " + subject);
        if (found == null) {
            throw new DeniedException("nobody has the certificate of " + subject);
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
            broken = "";
        } catch (IOException e) {
            broken = "the list of clients cannot be read: " + e.getMessage();
        }
    }

    private static Map<String, Identity> read(Path file) throws IOException {
        Map<String, Identity> found = new HashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            try {
                AccessLine parsed = AccessLine.parse(line);
                if (found.putIfAbsent(parsed.credential(), parsed.identity()) != null) {
                    throw new IllegalArgumentException("another line has the same " + parsed.credential());
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ", line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return found;
    }
}
