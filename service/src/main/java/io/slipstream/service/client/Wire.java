package io.slipstream.service.client;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import io.slipstream.service.net.Link;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.net.PlainLink;
import io.slipstream.service.net.TlsLink;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The socket between a client and its service: bytes out, frames in. It waits for nothing but names. One thread. */
final class Wire {
    private static final int MAX_FRAME_BYTES = Message.MAX_OUTPUT_BYTES;
    private static final int FIRST_INPUT_BYTES = 1 << 13;
    private static final long CONNECT_NANOS = 1_000_000_000L;
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;

    /** Takes a frame at its place in {@link #inputMemory}. */
    @FunctionalInterface
    interface FrameSink {
        void onFrame(int offset, int length);
    }

    private final SelectorProvider network;
    private final FrameSink sink;
    private final Selector selector;
    private final Signal signal;
    private final @Nullable Tls tls;
    private final Host machine;
    private ByteBuffer input = ByteBuffer.allocateDirect(FIRST_INPUT_BYTES);
    private MemorySegment inputMemory = MemorySegment.ofBuffer(input);
    private String host = "";
    private int port;
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private @Nullable Link link;
    private @Nullable MemoryLink memory;
    private @Nullable IOException failure;

    /** There may be something to read: the selector has named the socket, or what TLS computes elsewhere is there. */
    private volatile boolean hasNews;

    /** What is still to be said before all else; null when that was done. */
    private @Nullable ByteBuffer greeting;

    private long deadlineNanos;

    Wire(Host machine, Selector selector, Signal signal, @Nullable Tls tls, FrameSink sink) {
        this.machine = machine;
        this.selector = selector;
        this.signal = signal;
        this.tls = tls;
        this.network = machine.network();
        this.sink = sink;
    }

    MemorySegment inputMemory() {
        return inputMemory;
    }

    /** Returns whether there is a connection, or the beginning of one. */
    boolean isOpen() {
        return channel != null;
    }

    /** Returns whether the greeting was said. */
    boolean hasGreeted() {
        return greeting == null;
    }

    /** Returns whether the selector has to be asked before each round: only TLS waits for more than bytes. */
    boolean needsSelector() {
        return tls != null;
    }

    /** Begins to connect, and to say {@code greeting}; {@link #receive} goes on with that. */
    void connect(Endpoint to, ByteBuffer newGreeting) throws IOException {
        Path door = to.door();
        input.clear();
        hasNews = false;
        if (door == null) {
            connect(to.host(), to.port());
        } else {
            connect(door);
        }
        greeting = newGreeting;
    }

    private void connect(Path door) throws IOException {
        MemoryLink opened = MemoryLink.knock(door, machine.secret());
        try {
            key = opened.socket().register(selector, SelectionKey.OP_READ, this);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        memory = opened;
        link = opened;
        channel = opened.socket();
        deadlineNanos = machine.nanoTime() + CONNECT_NANOS;
    }

    private void connect(String toHost, int toPort) throws IOException {
        host = toHost;
        port = toPort;
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
        SocketChannel opened = network.openSocketChannel();
        try {
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            opened.configureBlocking(false);
            key = opened.register(selector, SelectionKey.OP_CONNECT, this);
            opened.connect(address);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        channel = opened;
        deadlineNanos = machine.nanoTime() + CONNECT_NANOS;
    }

    /** Goes on with connecting; returns how much was done. */
    private int greet(SocketChannel with, ByteBuffer words) throws IOException {
        Link open = link;
        if (open == null) {
            if (!with.finishConnect()) {
                requireTime("Connect timed out");
                return 0;
            }
            open = tls == null ? new PlainLink(with) : new TlsLink(with, tls.engine(host, port), this::compute);
            link = open;
            deadlineNanos = machine.nanoTime() + HANDSHAKE_NANOS;
        }
        if (!open.isEstablished() && read(open) < 0) {
            throw new IOException("the service has closed the connection during the handshake of TLS");
        }
        int said = open.write(words);
        open.flush();
        if (words.hasRemaining() || open.isPending()) {
            requireTime((tls == null ? "it takes nothing" : "no TLS") + " within " + HANDSHAKE_NANOS / 1_000_000_000
                    + " s");
            awaitWritable(words.hasRemaining());
            return said;
        }
        greeting = null;
        hasNews = true;
        awaitWritable(false);
        return 1;
    }

    /** What takes long in a handshake must not hold up the other clients of this thread. */
    private void compute(Runnable task) {
        machine.run("slipstream-client-tls", () -> {
            try {
                task.run();
            } finally {
                hasNews = true;
                signal.wake();
            }
        });
    }

    private void requireTime(String otherwise) throws IOException {
        if (machine.nanoTime() - deadlineNanos > 0) {
            throw new SocketTimeoutException(otherwise);
        }
    }

    /**
     * Hands what has arrived to the sink; returns how much that was, in bytes and frames together.
     *
     * @param unasked whether to read also if the selector has not said that there is something
     */
    int receive(boolean unasked) throws IOException {
        IOException why = failure;
        if (why != null) {
            throw why;
        }
        SocketChannel with = channel;
        ByteBuffer words = greeting;
        if (words != null && with != null) {
            return greet(with, words);
        }
        Link open = link;
        if (open == null || !unasked && !hasNews && memory == null) {
            return 0;
        }
        hasNews = false;
        int read = read(open);
        if (tls != null && read > 0) {
            // The selector knows nothing of what TLS holds back because it found too little room.
            hasNews = true;
        }
        boolean isFull = !input.hasRemaining();
        int frames = parse();
        if (read < 0 && channel != null) {
            throw new IOException("the service has closed the connection");
        }
        if (isFull && input.capacity() < MAX_FRAME_BYTES) {
            enlarge();
        }
        return frames + Math.max(0, read);
    }

    private int read(Link from) throws IOException {
        while (input.remaining() < (tls == null ? 1 : TlsLink.maxPacketBytes())) {
            enlarge();
        }
        return from.read(input);
    }

    /** A frame is longer than all before, or more comes at once. */
    private void enlarge() {
        input = ByteBuffer.allocateDirect(2 * input.capacity()).put(input.flip());
        inputMemory = MemorySegment.ofBuffer(input.duplicate().clear());
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

    /** The selector has something of the socket. */
    void onReady(SelectionKey ready) {
        if (ready != key) {
            return;
        }
        hasNews = true;
        Link open = link;
        if (open != null) {
            try {
                open.onReady();
            } catch (IOException e) {
                failure = e;
            }
            // The link may wait for something else now, such as for nothing at its end.
            awaitWritable((ready.interestOps() & SelectionKey.OP_WRITE) != 0);
        }
    }

    /** See {@link io.slipstream.service.net.SelectorSignal.Bells}. */
    boolean arm() {
        MemoryLink open = memory;
        return open == null || open.arm();
    }

    void disarm() {
        MemoryLink open = memory;
        if (open != null) {
            open.disarm();
        }
    }

    /** Closes the connection; the sink may call it. */
    void close() {
        Link open = link;
        SocketChannel connecting = channel;
        channel = null;
        link = null;
        memory = null;
        failure = null;
        greeting = null;
        try {
            if (open != null) {
                open.close();
            } else if (connecting != null) {
                connecting.close();
            }
        } catch (IOException e) {
            // Nothing is left to do for a socket that cannot even be closed.
        }
    }

    private int parse() throws IOException {
        int frames = 0;
        int offset = 0;
        while (input.position() - offset >= Message.HEADER_BYTES) {
            int length = Frame.length(inputMemory, offset);
            if (length < Message.HEADER_BYTES || length > MAX_FRAME_BYTES) {
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
