package io.slipstream.http.call;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code Idempotency-Key: session/number}. The session is 1 to 64 letters, digits, dots, dashes and
 * underscores; the number is at least 1 and has up to 18 digits, and each command of a session has another one, best
 * the next.
 *
 * @param session the key of the native session
 * @param number  its correlation
 */
public record IdempotencyKey(long session, long number) {
    private static final Pattern FORM = Pattern.compile("\"?([A-Za-z0-9._-]{1,64})/([0-9]{1,18})\"?");

    /**
     * Reads the header.
     *
     * @param owner the name of the one who sends it: others cannot share its sessions; empty if nobody has a name
     * @throws IllegalArgumentException if it has another form; the message says which it should have
     */
    public static IdempotencyKey parse(String header, String owner) {
        Matcher matcher = FORM.matcher(header);
        if (!matcher.matches() || Long.parseLong(matcher.group(2)) == 0) {
            throw new IllegalArgumentException("an idempotency key is SESSION/NUMBER, such as desk-7/42: 1 to 64"
                + " letters, digits, '.', '-' or '_', and a number of up to 18 digits, from 1 on, that each command of"
                + " the session has for itself");
        }
        return new IdempotencyKey(hash(owner + '\n' + matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    /** Returns the key that many numbers further on. */
    public IdempotencyKey plus(int count) {
        return new IdempotencyKey(session, number + count);
    }

    private static long hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong() | 1;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
