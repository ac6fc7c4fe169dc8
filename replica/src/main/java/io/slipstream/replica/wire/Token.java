package io.slipstream.replica.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that both sites know, of eight characters or more. It is proven and never sent. Any thread. */
public final class Token {
    /** Bytes of a proof. */
    public static final int PROOF_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int LEAST_CHARACTERS = 8;

    private final SecretKeySpec key;

    /** Creates a token. */
    public Token(String secret) {
        key = new SecretKeySpec(requireLong(secret).getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /**
     * Returns {@code secret}.
     *
     * @throws IllegalArgumentException if it is too short
     */
    public static String requireLong(String secret) {
        if (secret.length() < LEAST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "the token has at least " + LEAST_CHARACTERS + " characters, not " + secret.length());
        }
        return secret;
    }

    /** Returns the proof that this side knows the token. */
    byte[] prove(byte[] nonce, Kind kind, ByteBuffer payload) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(nonce);
            mac.update(ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(0, kind.ordinal()));
            mac.update(payload.duplicate());
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }

    /** Returns whether {@code proof} was made with this token; takes the same time for each wrong one. */
    boolean accepts(byte[] proof, byte[] nonce, Kind kind, ByteBuffer payload) {
        return MessageDigest.isEqual(proof, prove(nonce, kind, payload));
    }

    @Override
    public String toString() {
        return "a token";
    }
}
