package io.slipstream.cluster.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.Mac;

/** Receives the messages of a {@link SealedOutput}. For one thread. */
public final class SealedInput {
    private final DataInputStream in;
    private final Mac mac;
    private final CRC32C sum = new CRC32C();
    private final byte[] header = new byte[SealedOutput.HEADER_BYTES];
    private byte[] bytes = new byte[1 << 16];
    private int length;
    private byte kind;

    /** Creates an input of what was sealed with that key. */
    public SealedInput(InputStream in, byte[] key) {
        this.in = new DataInputStream(in);
        this.mac = Seal.of(key);
    }

    /**
     * Receives the next message.
     *
     * @return whether there is one; if not, all of them were as they were sent
     * @throws IOException if the connection has ended, or a message or the seal is not as it was sent
     */
    public boolean next() throws IOException {
        in.readFully(header);
        ByteBuffer head = ByteBuffer.wrap(header);
        length = head.getInt();
        int expected = head.getInt();
        kind = head.get();
        if (length < 0 || length > SealedOutput.MOST_BYTES) {
            throw new IOException("a message of " + length + " bytes was announced; that is no copy of a log");
        }
        if (bytes.length < length) {
            bytes = new byte[SealedOutput.MOST_BYTES];
        }
        in.readFully(bytes, 0, length);
        sum.reset();
        sum.update(kind);
        sum.update(bytes, 0, length);
        if ((int) sum.getValue() != expected) {
            throw new IOException("a message of " + length + " bytes has another checksum");
        }
        if (kind == SealedOutput.SEAL) {
            requireSeal(Arrays.copyOf(bytes, length));
            return false;
        }
        mac.update(header);
        mac.update(bytes, 0, length);
        return true;
    }

    private void requireSeal(byte[] seal) throws IOException {
        if (!MessageDigest.isEqual(seal, mac.doFinal())) {
            throw new IOException("the copy is not what was sent, or was sent by somebody who does not know the token");
        }
    }

    /** Returns the kind of the message. */
    public byte kind() {
        return kind;
    }

    /** Returns the bytes of the message, good until the next one; {@link #length} of them count. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns how many bytes the message has. */
    public int length() {
        return length;
    }
}
