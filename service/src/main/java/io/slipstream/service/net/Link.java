package io.slipstream.service.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;

/** Bytes over a socket that does not block, plain or encrypted. For one thread. */
public interface Link {
    /** Reads what has arrived; returns how many bytes that were, or -1 at the end of the stream. */
    int read(ByteBuffer into) throws IOException;

    /** Writes what the socket takes; returns how many bytes of {@code from} that were. */
    int write(ByteBuffer from) throws IOException;

    /** Returns whether bytes wait in here for the socket; {@link #flush} writes them. */
    default boolean isPending() {
        return false;
    }

    /** Writes what waits in here, as far as the socket takes it. */
    default void flush() throws IOException {
    }

    /** Returns whether {@link #write} can take anything by now. */
    default boolean isEstablished() {
        return true;
    }

    /** Returns the certificates of the peer, its own first; none if it has shown none. */
    default List<X509Certificate> certificates() {
        return List.of();
    }

    /** Closes the socket. */
    void close() throws IOException;
}
