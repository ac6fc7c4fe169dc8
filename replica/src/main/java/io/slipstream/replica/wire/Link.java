package io.slipstream.replica.wire;

import io.slipstream.service.host.Host;
import io.slipstream.service.security.Tls;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One connection between sites. One thread may receive while another one sends; several may send.
 *
 * <p>The memory that a peer can make this side allocate is bounded by what {@link #receive} is told to accept.
 */
public final class Link implements AutoCloseable {
    /** The longest message, of which one record that is longer than usual makes the most. */
    public static final int MAX_BYTES = 1 << 25;

    /** The longest message of somebody who has not proven to know the token. */
    public static final int MAX_BYTES_OF_STRANGERS = 1 << 16;

    private static final int FAREWELL_MILLIS = 500;
    private static final long BEAT_NANOS = 250_000_000;
    private static final int HEADER_BYTES = 12;
    private static final int FIRST_BUFFER_BYTES = 1 << 12;

    private final Host host;
    private final Socket socket;
    private final Socket plain;
    private final InputStream in;
    private final InputStream arriving;
    private final OutputStream out;
    private final byte[] header = new byte[HEADER_BYTES];
    private final byte[] outHeader = new byte[HEADER_BYTES];
    private final CRC32C inChecksum = new CRC32C();
    private final CRC32C outChecksum = new CRC32C();
    private byte[] payload = new byte[FIRST_BUFFER_BYTES];
    private ByteBuffer received = ByteBuffer.wrap(payload, 0, 0);
    private @Nullable Beat beat;
    private long nextBeatNanos;
    private boolean hasDeadline;
    private long deadlineNanos;

    /** What is done now and then while a long message arrives slowly. */
    @FunctionalInterface
    public interface Beat {
        /** Shows the peer that this side is there, although the message is not complete. */
        void run() throws IOException;
    }

    /**
     * Creates a link over a connected socket, which it owns.
     *
     * @param host          whose clock counts
     * @param silenceMillis how long the peer may say nothing before {@link #receive} fails
     */
    public Link(Host host, Socket socket, int silenceMillis) throws IOException {
        this(host, socket, socket, silenceMillis);
    }

    /** Creates a link over a socket that speaks TLS over another one, {@code plain}. */
    private Link(Host host, Socket socket, Socket plain, int silenceMillis) throws IOException {
        this.host = host;
        this.socket = socket;
        this.plain = plain;
        this.arriving = plain.getInputStream();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(silenceMillis);
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Sets how long the peer may say nothing from here on before {@link #receive} fails. */
    public void silence(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Runs {@code newBeat} several times a second while a message arrives piece by piece; for who receives. */
    public void whileReceiving(Beat newBeat) {
        beat = newBeat;
    }

    /** Bounds the time in which all that follows is received, until {@link #noDeadline}; for who receives. */
    public void deadline(long nanosFromNow) {
        deadlineNanos = host.nanoTime() + nanosFromNow;
        hasDeadline = true;
    }

    /** Takes the bound of {@link #deadline} back. */
    public void noDeadline() {
        hasDeadline = false;
    }

    /**
     * Creates a link over a connected socket, which it owns, with TLS if there is one.
     *
     * @param host whose clock counts
     * @param name of the host that a client has connected to; null for the side that has accepted
     */
    public static Link over(Host host, Socket socket, @Nullable Tls tls, @Nullable String name, int silenceMillis)
            throws IOException {
        try {
            return new Link(host, tls == null ? socket : tls.over(socket, name), socket, silenceMillis);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a message: what is between position and limit of {@code content}, which is left as it is. */
    public synchronized void send(Kind kind, ByteBuffer content) throws IOException {
        int length = content.remaining();
        ByteBuffer head = ByteBuffer.wrap(outHeader).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(0, Integer.BYTES + length).putInt(8, kind.ordinal());
        outChecksum.reset();
        outChecksum.update(outHeader, 8, Integer.BYTES);
        outChecksum.update(content.array(), content.arrayOffset() + content.position(), length);
        head.putInt(4, (int) outChecksum.getValue());
        out.write(outHeader);
        out.write(content.array(), content.arrayOffset() + content.position(), length);
        out.flush();
    }

    /** Sends a message of numbers. */
    public void send(Kind kind, long... numbers) throws IOException {
        ByteBuffer content = buffer(numbers.length * Long.BYTES);
        for (long number : numbers) {
            content.putLong(number);
        }
        send(kind, content.flip());
    }

    /** Sends a text, of which 1,024 characters are kept. */
    public void send(Kind kind, String text) throws IOException {
        String kept = text.substring(0, Math.min(text.length(), 1_024));
        send(kind, ByteBuffer.wrap(kept.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Waits for the next message; {@link #received} has its payload.
     *
     * @throws WireException if it is longer than {@code mostBytes}, of an unknown kind, or damaged
     * @throws IOException   if the connection has ended, or the peer was silent for too long, or past the deadline
     */
    public Kind receive(int mostBytes) throws IOException {
        fill(header, header.length);
        nextBeatNanos = host.nanoTime() + BEAT_NANOS;
        ByteBuffer head = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int length = head.getInt(0) - Integer.BYTES;
        if (length < 0 || length > mostBytes) {
            throw new WireException("a message has " + length + " bytes; it may have from 0 to " + mostBytes);
        }
        Kind kind = Kind.of(head.getInt(8));
        if (payload.length < length) {
            payload = new byte[Math.min(mostBytes, Math.max(length, 2 * payload.length))];
        }
        fill(payload, length);
        inChecksum.reset();
        inChecksum.update(header, 8, Integer.BYTES);
        inChecksum.update(payload, 0, length);
        if ((int) inChecksum.getValue() != head.getInt(4)) {
            throw new WireException("a message of kind " + kind + " with " + length
                    + " bytes was damaged on its way: its checksum is wrong");
        }
        received = ByteBuffer.wrap(payload, 0, length).order(ByteOrder.LITTLE_ENDIAN);
        return kind;
    }

    /** Returns the payload of the last message, valid until the next one is received. */
    public ByteBuffer received() {
        return received;
    }

    /** Returns the next number of the last message. */
    public long number() throws WireException {
        if (received.remaining() < Long.BYTES) {
            throw new WireException("a message ends before a number that is due in it");
        }
        return received.getLong();
    }

    /** Returns the rest of the last message as a text. */
    public String text() {
        return StandardCharsets.UTF_8.decode(received).toString();
    }

    /** Returns whether more has arrived already. */
    public boolean hasMore() throws IOException {
        return in.available() > 0 || in != arriving && arriving.available() > 0;
    }

    /** Returns a new buffer for a payload. */
    public static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns who is on the other side. */
    public String peer() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    /**
     * Says why the connection ends, and waits a moment for the peer to end it: a connection that is closed while the
     * peer still sends is reset, and the reason lost on its way.
     */
    public void refuse(String reason) {
        try {
            send(Kind.REFUSED, reason);
            socket.shutdownOutput();
            socket.setSoTimeout(FAREWELL_MILLIS);
            long deadline = host.nanoTime() + FAREWELL_MILLIS * 1_000_000L;
            while (in.skip(MAX_BYTES) > 0 || in.read() >= 0) {
                if (host.nanoTime() - deadline > 0) {
                    return;
                }
            }
        } catch (IOException e) {
            // It has gone already.
        }
    }

    /** Ends the connection; whoever is receiving or sending gets an exception. */
    @Override
    public void close() {
        try (socket) {
            // First the one below: TLS says farewell when it is closed, and would wait for a write that hangs.
            plain.close();
        } catch (IOException e) {
            // It is closed as far as it can be.
        }
    }

    private void fill(byte[] target, int length) throws IOException {
        for (int at = 0; at < length; ) {
            int read = in.read(target, at, length - at);
            if (read < 0) {
                throw new EOFException("the connection to " + peer() + " has ended");
            }
            at += read;
            long now = host.nanoTime();
            if (hasDeadline && now - deadlineNanos > 0) {
                throw new WireException(peer() + " takes too long to open the conversation");
            }
            if (beat != null && at < length && now - nextBeatNanos > 0) {
                nextBeatNanos = now + BEAT_NANOS;
                beat(beat);
            }
        }
    }

    private static void beat(Beat now) {
        try {
            now.run();
        } catch (IOException e) {
            // What has come may be complete, although the peer hears nothing any more.
        }
    }
}
