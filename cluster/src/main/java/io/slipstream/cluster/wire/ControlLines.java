package io.slipstream.cluster.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The lines of the conversation: short ones, and what shows that an operator knows the token. */
public final class ControlLines {
    /** The longest line in bytes, either way. */
    public static final int MOST_BYTES = 4096;

    /** How an answer begins that is a refusal. */
    public static final String REFUSED = "no: ";

    private static final int LEAST_TOKEN = 8;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String UNSIGNED = "-";

    private ControlLines() {}

    /**
     * Reads a line without its end.
     *
     * @return null if the other side has said nothing
     * @throws IOException if the line is longer than {@value #MOST_BYTES} bytes, or has no end
     */
    public static @Nullable String read(InputStream in) throws IOException {
        byte[] line = new byte[MOST_BYTES];
        for (int length = 0; ; length++) {
            int next = in.read();
            if (next < 0 && length == 0) {
                return null;
            }
            if (next < 0 || length == line.length) {
                throw new IOException("a line has no end within " + length + " bytes");
            }
            if (next == '\n') {
                return new String(Arrays.copyOf(line, length), StandardCharsets.UTF_8).strip();
            }
            line[length] = (byte) next;
        }
    }

    /** Returns what proves, in one conversation alone, that whoever says {@code line} knows the token. */
    public static String sign(@Nullable String token, String challenge, String line) {
        if (token == null) {
            return UNSIGNED;
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal((challenge + " " + line).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }

    /** Returns {@code token}, which must not be one that is guessed soon. */
    public static @Nullable String requireLong(@Nullable String token) {
        if (token != null && token.length() < LEAST_TOKEN) {
            throw new IllegalArgumentException(
                    "a control token has " + LEAST_TOKEN + " characters or more, not " + token.length());
        }
        return token;
    }
}
