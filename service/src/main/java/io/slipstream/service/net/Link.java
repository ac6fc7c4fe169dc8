package io.slipstream.service.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
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
    default void flush() throws IOException {}

    /** Returns whether {@link #write} can take anything by now. */
    default boolean isEstablished() {
        return true;
    }

    /** Returns the certificates of the peer, its own first; none if it has shown none. */
    default List<X509Certificate> certificates() {
        return List.of();
    }

    /** Called when the selector has something of the socket. */
    default void onReady() throws IOException {}

    /** Returns for which operations the selector should wake the thread, if it wants to read or to write. */
    default int interest(boolean reads, boolean writes) {
        return (reads ? SelectionKey.OP_READ : 0)
                | (isPending() || writes && isEstablished() ? SelectionKey.OP_WRITE : 0);
    }

    /** Closes the socket. */
    void close() throws IOException;
}
