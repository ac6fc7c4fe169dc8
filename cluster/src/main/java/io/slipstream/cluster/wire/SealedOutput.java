package io.slipstream.cluster.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import javax.crypto.Mac;

/** Sends messages, and at last a seal. For one thread. */
public final class SealedOutput {
    /** The longest message in bytes. */
    public static final int MOST_BYTES = 1 << 20;

    /** Kind of the last message. */
    static final byte SEAL = 'S';

    static final int HEADER_BYTES = 9;

    private final OutputStream out;
    private final Mac mac;
    private final CRC32C sum = new CRC32C();
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);

    /** Creates an output that seals with that key. */
    public SealedOutput(OutputStream out, byte[] key) {
        this.out = out;
        this.mac = Seal.of(key);
    }

    /** Sends a message. */
    public void write(byte kind, byte[] bytes, int length) throws IOException {
        if (length > MOST_BYTES) {
            throw new IOException("a message has " + MOST_BYTES + " bytes at most, not " + length);
        }
        send(kind, bytes, length);
    }

    private void send(byte kind, byte[] bytes, int length) throws IOException {
        sum.reset();
        sum.update(kind);
        sum.update(bytes, 0, length);
        header.clear().putInt(length).putInt((int) sum.getValue()).put(kind);
        mac.update(header.array());
        mac.update(bytes, 0, length);
        out.write(header.array());
        out.write(bytes, 0, length);
    }

    /** Says that this was all. */
    public void seal() throws IOException {
        byte[] seal = mac.doFinal();
        send(SEAL, seal, seal.length);
        out.flush();
    }
}
