package io.slipstream.service.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * TLS over a socket, by the JDK's engine.
 *
 * <pre>
 *   socket ──▶ received ──unwrap──▶ read(into)
 *   socket ◀── toSend   ◀──wrap──── write(from)
 * </pre>
 *
 * What takes long in a handshake, such as signatures, goes to where the owner says; until it is done nothing is read,
 * and the owner calls {@link #read} again.
 */
public final class TlsLink implements Link {
    private static final int HANDSHAKE_RECORD = 22;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final Consumer<Runnable> tasks;
    private final ByteBuffer received;
    private final ByteBuffer toSend;
    private boolean begun;
    private boolean established;
    private volatile boolean taskRuns;

    /** Creates a link over a connected socket; {@code tasks} runs what takes long, once, anywhere. */
    public TlsLink(SocketChannel channel, SSLEngine engine, Consumer<Runnable> tasks) throws SSLException {
        this.channel = channel;
        this.engine = engine;
        this.tasks = tasks;
        int packet = engine.getSession().getPacketBufferSize();
        this.received = ByteBuffer.allocate(packet);
        this.toSend = ByteBuffer.allocate(2 * packet);
        engine.beginHandshake();
    }

    /** Returns how much more room than was read before {@link #read} needs. */
    public static int maxPacketBytes() {
        return 1 << 15;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (taskRuns) {
            return 0;
        }
        int before = into.position();
        boolean ended = channel.read(received) < 0;
        received.flip();
        try {
            requireTls();
            ended |= step(into);
        } finally {
            received.compact();
        }
        int bytes = into.position() - before;
        return bytes == 0 && ended ? -1 : bytes;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.position();
        if (established && send()) {
            while (from.hasRemaining() && !taskRuns) {
                SSLEngineResult result = engine.wrap(from, toSend);
                if (result.getStatus() == Status.CLOSED) {
                    throw new IOException("the peer has ended TLS");
                }
                if (!send() || result.bytesConsumed() == 0) {
                    break;
                }
            }
        }
        return from.position() - before;
    }

    @Override
    public boolean isPending() {
        return toSend.position() > 0;
    }

    @Override
    public void flush() throws IOException {
        if (send() && !taskRuns) {
            received.flip();
            try {
                if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                    wrap();
                }
            } finally {
                received.compact();
            }
        }
    }

    @Override
    public boolean isEstablished() {
        return established;
    }

    @Override
    public List<X509Certificate> certificates() {
        try {
            List<X509Certificate> all = new ArrayList<>();
            for (Certificate each : engine.getSession().getPeerCertificates()) {
                all.add((X509Certificate) each);
            }
            return all;
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    /** Tells the peer, if the socket takes that, and closes it. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (channel.isOpen() && !taskRuns) {
                engine.closeOutbound();
                wrap();
            }
        } catch (IOException e) {
            // The socket is closed, and the peer sees that.
        }
    }

    /** Goes on as far as what was received allows; returns whether the peer has ended TLS. */
    private boolean step(ByteBuffer into) throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    runTasks();
                    if (taskRuns) {
                        return false;
                    }
                    continue;
                }
                case NEED_WRAP -> {
                    if (!wrap()) {
                        return engine.isOutboundDone();
                    }
                    continue;
                }
                default -> {}
            }
            SSLEngineResult result = engine.unwrap(received, into);
            noteEstablished(result);
            switch (result.getStatus()) {
                case CLOSED -> {
                    return true;
                }
                case BUFFER_UNDERFLOW, BUFFER_OVERFLOW -> {
                    return false;
                }
                case OK -> {
                    if (result.bytesConsumed() == 0
                            && result.getHandshakeStatus() != HandshakeStatus.NEED_TASK
                            && result.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
                        return false;
                    }
                }
            }
        }
    }

    /** Says what the engine has to say; returns whether it could. */
    private boolean wrap() throws IOException {
        SSLEngineResult result = engine.wrap(NOTHING, toSend);
        noteEstablished(result);
        send();
        return result.getStatus() == Status.OK
                && (result.bytesProduced() > 0 || engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP);
    }

    private void noteEstablished(SSLEngineResult result) {
        established |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    private boolean send() throws IOException {
        if (toSend.position() == 0) {
            return true;
        }
        toSend.flip();
        try {
            channel.write(toSend);
        } finally {
            toSend.compact();
        }
        return toSend.position() == 0;
    }

    private void runTasks() {
        taskRuns = true;
        tasks.accept(() -> {
            try {
                Runnable task;
                while ((task = engine.getDelegatedTask()) != null) {
                    task.run();
                }
            } finally {
                taskRuns = false;
            }
        });
    }

    private void requireTls() throws NotTlsException {
        if (!begun && received.hasRemaining()) {
            begun = true;
            if (!engine.getUseClientMode() && received.get(0) != HANDSHAKE_RECORD) {
                throw new NotTlsException();
            }
        }
    }
}
