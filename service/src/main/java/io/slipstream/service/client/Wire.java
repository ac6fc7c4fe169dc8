package io.slipstream.service.client;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import io.slipstream.service.net.Link;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.net.PlainLink;
import io.slipstream.service.net.SelectorSignal;
import io.slipstream.service.net.TlsLink;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The socket between a client and its service: bytes out, frames in. One thread, but for the signal. */
final class Wire implements SelectorSignal.Bells {
    private static final int INPUT_BYTES = Message.MAX_OUTPUT_BYTES;
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final int ROUNDS_A_SELECT_MASK = 7;
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;

    /** Takes a frame at its place in {@link #inputMemory}. */
    @FunctionalInterface
    interface FrameSink {
        void onFrame(int offset, int length);
    }

    private final SelectorProvider network;
    private final FrameSink sink;
    private final Selector selector;
    private final Consumer<SelectionKey> nothing = ignored -> {};
    private final Signal signal;
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES);
    private final MemorySegment inputMemory = MemorySegment.ofBuffer(input);
    private final Consumer<SelectionKey> onReady = this::onReady;
    private @Nullable SocketChannel channel;
    private @Nullable Link link;
    private @Nullable MemoryLink memory;
    private @Nullable IOException failure;
    private int rounds;
    private final @Nullable Tls tls;
    private final Host machine;
    private @Nullable SelectionKey key;

    Wire(Host host, @Nullable Tls tls, FrameSink sink) throws IOException {
        this.machine = host;
        this.tls = tls;
        this.network = host.network();
        this.sink = sink;
        this.selector = network.openSelector();
        this.signal = new SelectorSignal(selector, onReady, this);
    }

    /** Returns where the thread of this wire sleeps: in the selector. */
    Signal signal() {
        return signal;
    }

    MemorySegment inputMemory() {
        return inputMemory;
    }

    boolean isOpen() {
        return channel != null;
    }

    /** Connects, and says {@code greeting}. */
    void connect(Endpoint to, ByteBuffer greeting) throws IOException {
        Path door = to.door();
        if (door == null) {
            connect(to.host(), to.port(), greeting);
        } else {
            connect(door, greeting);
        }
    }

    private void connect(Path door, ByteBuffer greeting) throws IOException {
        MemoryLink opened = MemoryLink.knock(door, machine.secret());
        try {
            opened.write(greeting);
            key = opened.socket().register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        input.clear();
        memory = opened;
        link = opened;
        channel = opened.socket();
    }

    private void connect(String host, int port, ByteBuffer greeting) throws IOException {
        SocketChannel opened = network.openSocketChannel();
        try {
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
            opened.socket().connect(address, CONNECT_TIMEOUT_MILLIS);
            if (tls == null) {
                while (greeting.hasRemaining()) {
                    opened.write(greeting);
                }
            }
            opened.configureBlocking(false);
            key = opened.register(selector, SelectionKey.OP_READ);
            input.clear();
            link = tls == null ? new PlainLink(opened) : handshake(tls, opened, host, port, greeting);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        channel = opened;
    }

    private Link handshake(Tls with, SocketChannel opened, String host, int port, ByteBuffer greeting)
            throws IOException {
        TlsLink secured = new TlsLink(opened, with.engine(host, port), Runnable::run);
        long deadline = machine.nanoTime() + HANDSHAKE_NANOS;
        while (!secured.isEstablished() || greeting.hasRemaining() || secured.isPending()) {
            if (secured.read(input) < 0) {
                throw new IOException("the service has closed the connection during the handshake of TLS");
            }
            if (secured.isEstablished()) {
                secured.write(greeting);
            }
            secured.flush();
            if (machine.nanoTime() - deadline > 0) {
                throw new IOException("no TLS within " + HANDSHAKE_NANOS / 1_000_000_000 + " s");
            }
            selector.select(nothing, 10);
        }
        return secured;
    }

    /** Hands what has arrived to the sink; returns how much that was, in bytes and frames together. */
    int receive() throws IOException {
        // Only TLS waits for more than bytes. With an action, since a selector makes garbage of each key that it puts
        // into its set.
        if (tls != null || (++rounds & ROUNDS_A_SELECT_MASK) == 0) {
            selector.selectNow(onReady);
        }
        IOException why = failure;
        if (why != null) {
            throw why;
        }
        Link open = link;
        int read = open == null ? 0 : open.read(input);
        int frames = parse();
        if (read < 0 && channel != null) {
            throw new IOException("the service has closed the connection");
        }
        return frames + Math.max(0, read);
    }

    /** Writes what the socket takes; returns how many bytes that were. */
    int write(ByteBuffer bytes) throws IOException {
        Link open = link;
        return open == null ? 0 : open.write(bytes);
    }

    /** Lets the signal wake the thread when the socket can be written to as well, or no longer. */
    void awaitWritable(boolean wanted) {
        SelectionKey of = key;
        Link open = link;
        if (of == null || !of.isValid() || open == null) {
            return;
        }
        int operations = open.interest(true, wanted);
        if (of.interestOps() != operations) {
            of.interestOps(operations);
        }
    }

    private void onReady(SelectionKey ready) {
        Link open = link;
        if (open != null && ready == key) {
            try {
                open.onReady();
            } catch (IOException e) {
                failure = e;
            }
            // The link may wait for something else now, such as for nothing at its end.
            awaitWritable((ready.interestOps() & SelectionKey.OP_WRITE) != 0);
        }
    }

    @Override
    public boolean arm() {
        MemoryLink open = memory;
        return open == null || open.arm();
    }

    @Override
    public void disarm() {
        MemoryLink open = memory;
        if (open != null) {
            open.disarm();
        }
    }

    /** Closes the connection; the sink may call it. */
    void close() {
        Link open = link;
        channel = null;
        link = null;
        memory = null;
        failure = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Nothing is left to do for a socket that cannot even be closed.
            }
        }
    }

    /** Closes the connection and all that belongs to it. */
    void end() throws IOException {
        close();
        selector.close();
    }

    private int parse() throws IOException {
        int frames = 0;
        int offset = 0;
        while (input.position() - offset >= Message.HEADER_BYTES) {
            int length = Frame.length(inputMemory, offset);
            if (length < Message.HEADER_BYTES || length > INPUT_BYTES) {
                throw new IOException("the service sent a frame of " + length + " bytes; this is no service");
            }
            if (input.position() - offset < Frame.align(length)) {
                break;
            }
            sink.onFrame(offset, length);
            offset += Frame.align(length);
            frames++;
            if (channel == null) {
                return frames;
            }
        }
        int left = input.position() - offset;
        if (offset > 0) {
            MemorySegment.copy(inputMemory, offset, inputMemory, 0, left);
            input.position(left);
        }
        return frames;
    }
}
