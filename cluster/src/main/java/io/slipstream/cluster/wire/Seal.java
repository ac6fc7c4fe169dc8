package io.slipstream.cluster.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Makes the keys and the sums by which a copy is known to be as it was sent. */
public final class Seal {
    /** Length of a sum in bytes. */
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String NO_TOKEN = "-";

    private Seal() {}

    /** Returns the key of one conversation; whoever does not know the token cannot make it. */
    public static byte[] key(@Nullable String token, String challenge, String command) {
        byte[] secret = (token == null ? NO_TOKEN : token).getBytes(StandardCharsets.UTF_8);
        return of(secret).doFinal(("seal " + challenge + " " + command).getBytes(StandardCharsets.UTF_8));
    }

    static Mac of(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }
}
