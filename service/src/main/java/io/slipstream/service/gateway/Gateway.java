package io.slipstream.service.gateway;

import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.FrameHandler;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.net.SelectorSignal;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Accepts, reads and writes all connections on one thread. */
public final class Gateway implements Duty {
    private static final int OUTPUT_BATCH = 1024;
    private static final long LAST_FLUSH_NANOS = 1_000_000_000;
    private static final long SWEEP_NANOS = 1_000_000_000;
    private static final long HELLO_TIMEOUT_NANOS = 10_000_000_000L;

    private final GatewayLimits limits;
    private final FrameRing input;
    private final FramePoller output;
    private final Admission admission;
    private final Selector selector;
    private final Signal signal;
    private final ServerSocketChannel server;
    private final SelectionKey acceptKey;
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final FrameHandler onOutput = this::onOutput;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Connection> dirty = new ArrayList<>();
    private final Bindings bindings = new Bindings();
    private final Sequence accepted = new Sequence();
    private final Sequence refused = new Sequence();
    private volatile boolean refusing;
    private volatile boolean stopped;
    private long nextConnection = 1;
    private long nextSweep;
    private int handled;

    /**
     * Binds the address.
     *
     * @param input     takes the commands
     * @param output    brings the answers
     * @param processed moved by the logic, by one for each message that went into {@code input}
     * @throws IOException if the address cannot be bound; the message names it
     */
    public Gateway(InetSocketAddress address, GatewayLimits limits, FrameRing input, FramePoller output,
                   Sequence processed) throws IOException {
        this.limits = limits;
        this.input = input;
        this.output = output;
        this.admission = new Admission(processed, limits.responseTimeNanos(), limits.minPending(), limits.maxPending());
        this.selector = Selector.open();
        this.signal = new SelectorSignal(selector, onReady);
        this.server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, limits.backlog());
            server.configureBlocking(false);
            this.acceptKey = server.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException e) {
            server.close();
            selector.close();
            throw new IOException("cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                    + e.getMessage(), e);
        }
    }

    /** Returns the port that clients connect to. */
    public int port() {
        return server.socket().getLocalPort();
    }

    /** Returns where the gateway's thread sleeps: in the selector. */
    public Signal signal() {
        return signal;
    }

    /** Returns how many messages went into the input ring. */
    public Sequence accepted() {
        return accepted;
    }

    /** Returns how many commands were refused. */
    public Sequence refused() {
        return refused;
    }

    /** From now on every command is refused, because the service is about to close; callable by any thread. */
    public void refuseAll() {
        refusing = true;
    }

    @Override
    public int work() throws IOException {
        handled = 0;
        selector.selectNow(onReady);
        drainOutput();
        long now = System.nanoTime();
        admission.measure(now);
        if (now - nextSweep >= 0) {
            nextSweep = now + SWEEP_NANOS;
            sweep(now);
        }
        return handled;
    }

    /** Hands what the logic has sent to the sockets; the logic calls it too, when both share a thread. */
    public void drainOutput() {
        int polled;
        do {
            polled = output.poll(onOutput, OUTPUT_BATCH);
            handled += polled;
        } while (polled == OUTPUT_BATCH);
        flushDirty();
    }

    @Override
    public void onStop() throws IOException {
        server.close();
        drainOutput();
        flushAll();
        connections.forEach(Connection::close);
        selector.close();
        stopped = true;
    }

    /** Returns whether this gateway takes no outputs any more; callable by any thread. */
    public boolean isStopped() {
        return stopped;
    }

    private void flushAll() {
        long deadline = System.nanoTime() + LAST_FLUSH_NANOS;
        while (connections.stream().anyMatch(Connection::hasOutput) && System.nanoTime() - deadline < 0) {
            List.copyOf(connections).forEach(this::markDirty);
            flushDirty();
            LockSupport.parkNanos(100_000);
        }
    }

    private void onReady(SelectionKey key) {
        handled++;
        if (key == acceptKey) {
            accept();
            return;
        }
        Connection connection = (Connection) key.attachment();
        try {
            if (key.isReadable() && !read(connection)) {
                close(connection);
            }
        } catch (IOException e) {
            close(connection);
        }
        markDirty(connection);
    }

    private void accept() {
        try {
            SocketChannel channel;
            while ((channel = server.accept()) != null) {
                welcome(channel);
            }
            acceptKey.interestOps(SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            // Most likely too many open files: the next sweep tries again, the present clients go on.
            acceptKey.interestOps(0);
        }
    }

    private void welcome(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Connection connection = new Connection(nextConnection++, System.nanoTime(), channel, key, limits.inputBytes(),
                limits.maxOutputBytes());
        key.attach(connection);
        connections.add(connection);
        if (connections.size() > limits.maxConnections()) {
            error(connection, FailureCode.TOO_MANY_CONNECTIONS,
                    "the service takes no more than " + limits.maxConnections() + " connections");
        }
    }

    private boolean read(Connection connection) throws IOException {
        boolean open = connection.read();
        while (!connection.closing && connection.unparsed() >= Message.HEADER_BYTES) {
            MemorySegment memory = connection.inputMemory();
            int offset = connection.parsedTo();
            int length = Frame.length(memory, offset);
            if (!hasSoundHeader(connection, memory, offset, length)) {
                return open;
            }
            int aligned = Frame.align(length);
            if (connection.unparsed() < aligned) {
                break;
            }
            onMessage(connection, memory, offset, length);
            connection.take(aligned);
        }
        connection.compactInput();
        return open;
    }

    private boolean hasSoundHeader(Connection connection, MemorySegment memory, int offset, int length) {
        if (length < Message.HEADER_BYTES) {
            error(connection, FailureCode.MALFORMED, "a frame has at least " + Message.HEADER_BYTES
                    + " bytes; this one says that it has " + length);
            return false;
        }
        if (length > limits.maxFrameLength()) {
            error(connection, FailureCode.TOO_LONG, "a frame has at most " + limits.maxFrameLength()
                    + " bytes; this one says that it has " + length);
            return false;
        }
        byte version = Message.version(memory, offset);
        if (version != Message.VERSION) {
            error(connection, FailureCode.UNSUPPORTED_VERSION, "this service speaks version " + Message.VERSION
                    + " of the protocol, not " + version);
            return false;
        }
        return true;
    }

    private void onMessage(Connection connection, MemorySegment memory, int offset, int length) {
        switch (Message.type(memory, offset)) {
            case MessageType.COMMAND, MessageType.QUERY, MessageType.STATUS, MessageType.BYE ->
                    onCommand(connection, memory, offset, length);
            case MessageType.HELLO -> onHello(connection, memory, offset, length);
            default -> fail(connection, memory, offset, FailureCode.UNKNOWN_TYPE,
                    "there is no message of type " + Message.type(memory, offset) + " for a service");
        }
    }

    private void onCommand(Connection connection, MemorySegment memory, int offset, int length) {
        if (connection.session == 0) {
            fail(connection, memory, offset, FailureCode.NO_SESSION, "say HELLO, and wait for WELCOME, first");
        } else if (refusing) {
            fail(connection, memory, offset, FailureCode.CLOSING, "the service is shutting down");
        } else if (!admission.hasRoom() || !offer(memory, offset, length, connection.session,
                Message.correlation(memory, offset))) {
            refuse(connection, Message.correlation(memory, offset));
        }
    }

    private void onHello(Connection connection, MemorySegment memory, int offset, int length) {
        if (length != Message.HEADER_BYTES + Hello.BYTES || Hello.magic(memory, offset) != Hello.MAGIC
                || Hello.key(memory, offset) == 0) {
            error(connection, FailureCode.MALFORMED, "this is not the HELLO of a client of this service");
        } else if (connection.greeted) {
            error(connection, FailureCode.MALFORMED, "HELLO came twice");
        } else if (refusing) {
            error(connection, FailureCode.CLOSING, "the service is shutting down");
        } else if (offer(memory, offset, length, 0, connection.id)) {
            connection.greeted = true;
            bindings.greet(connection);
        } else {
            refuse(connection, 0);
        }
    }

    private boolean offer(MemorySegment memory, int offset, int length, long session, long correlation) {
        long position = input.tryClaim(length - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        MemorySegment ring = input.memory();
        long at = input.offset(position);
        MemorySegment.copy(memory, offset + Frame.HEADER_BYTES, ring, at + Frame.HEADER_BYTES,
                length - Frame.HEADER_BYTES);
        Message.index(ring, at, 0);
        Message.sequence(ring, at, 0);
        Message.session(ring, at, session);
        Message.correlation(ring, at, correlation);
        Message.timeNanos(ring, at, 0);
        admission.accept();
        accepted.setRelease(accepted.getPlain() + 1);
        input.publish(position);
        return true;
    }

    private void refuse(Connection connection, long correlation) {
        refused.setRelease(refused.getPlain() + 1);
        wrote(connection, Answers.busy(connection, correlation, admission));
    }

    private void fail(Connection connection, MemorySegment memory, int offset, FailureCode code, String text) {
        wrote(connection, Answers.failure(connection, MessageType.FAILED, Message.correlation(memory, offset), code,
                text));
    }

    /** Says what is wrong with the stream; the connection closes when the client has it. */
    private void error(Connection connection, FailureCode code, String text) {
        wrote(connection, Answers.failure(connection, MessageType.ERROR, 0, code, text));
        connection.closing = true;
    }

    private void onOutput(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        Connection connection = Message.type(memory, offset) == MessageType.WELCOME
                ? bind(memory, offset) : bindings.of(Message.session(memory, offset));
        if (connection != null && !connection.closing) {
            int at = connection.claimOutput(length);
            if (at >= 0) {
                MemorySegment.copy(memory, offset, connection.outputMemory(), at, length);
            }
            wrote(connection, at >= 0);
        }
    }

    private @Nullable Connection bind(MemorySegment memory, long offset) {
        Connection connection = bindings.greeted(Message.correlation(memory, offset));
        if (connection == null) {
            return null;
        }
        long session = Message.session(memory, offset);
        Connection former = bindings.bind(connection, session);
        if (former != null && former.session == session) {
            error(former, FailureCode.SUPERSEDED, "another connection has resumed this session");
        } else if (former != null) {
            error(former, FailureCode.UNKNOWN_SESSION, "the session was forgotten to make room for a newer one");
        }
        return connection;
    }

    /** What did not fit is a client that reads too slowly: it goes, and gets the rest when it comes back. */
    private void wrote(Connection connection, boolean fitted) {
        if (fitted) {
            markDirty(connection);
        } else {
            close(connection);
        }
    }

    private void markDirty(Connection connection) {
        if (!connection.dirty && connection.isOpen()) {
            connection.dirty = true;
            dirty.add(connection);
        }
    }

    private void flushDirty() {
        for (int i = 0; i < dirty.size(); i++) {
            Connection connection = dirty.get(i);
            connection.dirty = false;
            try {
                if (connection.isOpen()) {
                    flush(connection);
                }
            } catch (IOException e) {
                close(connection);
            }
        }
        dirty.clear();
    }

    private void flush(Connection connection) throws IOException {
        if (connection.hasOutput()) {
            connection.flush();
        }
        if (connection.closing && !connection.hasOutput()) {
            close(connection);
        } else {
            connection.updateInterest();
        }
    }

    private void close(Connection connection) {
        if (!connection.isOpen()) {
            return;
        }
        connection.close();
        connections.remove(connection);
        bindings.remove(connection);
    }

    private void sweep(long now) {
        if (server.isOpen()) {
            acceptKey.interestOps(SelectionKey.OP_ACCEPT);
        }
        for (int i = connections.size() - 1; i >= 0; i--) {
            Connection connection = connections.get(i);
            if (!connection.greeted && now - connection.openedAtNanos > HELLO_TIMEOUT_NANOS) {
                close(connection);
            }
        }
    }
}
