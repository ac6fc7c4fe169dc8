package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import io.slipstream.service.net.Link;
import io.slipstream.service.net.MemoryDoor;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.net.NotTlsException;
import io.slipstream.service.net.SelectorSignal;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Accepts, reads and writes all connections on one thread. */
public final class Gateway implements Duty, SmartBatcher.Sink<RuntimeException> {
    private static final int OUTPUT_BATCH_BYTES = 1 << 16;
    private static final long SWEEP_NANOS = 1_000_000_000;

    /* A look into memory costs nothing beside a look at sockets. */
    private static final int ROUNDS_A_SELECT_MASK = 7;

    private final Host host;
    private final SmartBatcher<RuntimeException> outputs;
    private final long outputCapacity;
    private final Selector selector;
    private final Signal signal;
    private final Bindings bindings = new Bindings();
    private final Subscriptions subscriptions = new Subscriptions();
    private final Laggards laggards = new Laggards();
    private final Connections connections;
    private final Farewells farewells;
    private final List<Listener> listeners = new ArrayList<>();
    private final Intake intake;
    private final Admission admission;
    private final Handshakes<Connection> handshakes;
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final Polled polled = new Polled();
    private final Polled.Sink onProgress = this::onProgress;
    private @Nullable MemoryDoor door;
    private int rounds;
    private volatile boolean stopped;
    private volatile @Nullable String absence;
    private boolean away;
    private long nextSweep;
    private int handled;

    /**
     * Binds the addresses.
     *
     * @param host      gives time and sockets
     * @param addresses where each protocol is spoken
     * @param memory    where the native one is spoken through shared memory; null for nowhere
     * @param security  who gets in
     * @param input     takes the commands
     * @param output    brings the answers
     * @param poller    takes them from there
     * @param processed moved by the logic, by one for each message that went into {@code input}
     * @param times     tells how long they take there; null if that is not measured
     * @param pressure  hears how full it is
     * @param report    takes what an operator should know
     * @throws IOException if an address cannot be bound; the message names it
     */
    public Gateway(
            Host host,
            Map<Protocol, InetSocketAddress> addresses,
            @Nullable Path memory,
            GatewaySecurity security,
            GatewayLimits limits,
            FrameRing input,
            FrameRing output,
            FramePoller poller,
            Sequence processed,
            @Nullable CommandTimes times,
            Pressure pressure,
            Consumer<String> report)
            throws IOException {
        this.host = host;
        this.outputs = new SmartBatcher<>(output, poller, OUTPUT_BATCH_BYTES, this);
        this.outputCapacity = output.capacity();
        this.selector = host.network().openSelector();
        this.signal = new SelectorSignal(selector, onReady, polled);
        Farewells farewells = new Farewells(host, input);
        this.farewells = farewells;
        this.connections = new Connections(host, bindings, subscriptions, farewells, limits.bufferBytes(), report);
        this.admission = new Admission(host, security);
        this.handshakes = new Handshakes<>(task -> host.run("slipstream-tls", task), signal);
        this.intake = new Intake(
                host, limits, input, processed, times, connections, bindings, farewells, laggards, admission, pressure);
        try {
            for (Map.Entry<Protocol, InetSocketAddress> address : addresses.entrySet()) {
                listeners.add(new Listener(
                        host,
                        Listener.bind(host, address.getValue(), limits.backlog()),
                        address.getKey(),
                        Listener.overTcp(security.tls(), handshakes),
                        limits,
                        selector,
                        connections,
                        report));
            }
            if (memory != null) {
                MemoryDoor opened = new MemoryDoor(memory, limits.backlog());
                door = opened;
                listeners.add(new Listener(
                        host,
                        opened.server(),
                        NativeProtocol.INSTANCE,
                        this::throughMemory,
                        limits,
                        selector,
                        connections,
                        report));
            }
        } catch (IOException e) {
            stop();
            throw e;
        }
    }

    /** Checks that nobody listens on {@code address}; an {@link IOException} names it. */
    public static void requireFree(Host host, InetSocketAddress address) throws IOException {
        Listener.bind(host, address, 1).close();
    }

    /** Returns the port where {@code protocol} is spoken. */
    public int port(Protocol protocol) {
        for (Listener listener : listeners) {
            if (listener.protocol() == protocol) {
                return listener.port();
            }
        }
        throw new IllegalArgumentException("this service does not speak " + protocol.name());
    }

    /** Returns where the gateway's thread sleeps: in the selector. */
    public Signal signal() {
        return signal;
    }

    /** Returns how many bytes of memory the connections hold for what was read or is to be written. */
    public long connectionBytes() {
        return connections.buffers().leasedBytes();
    }

    /** Returns how many connections are open; only for the gateway's own thread. */
    public int connections() {
        return connections.count();
    }

    /** Returns how many messages went into the input ring. */
    public Sequence accepted() {
        return intake.accepted();
    }

    /** Returns how many commands wait. */
    public Sequence waiting() {
        return intake.waiting();
    }

    /** Returns how many may wait: as many as are likely to be done within the maximum response time. */
    public Sequence allowed() {
        return intake.allowed();
    }

    /** Returns how many commands were refused. */
    public Sequence refused() {
        return intake.refused();
    }

    /** Returns how many requests were refused while there was room, because they can be done without. */
    public Sequence shed() {
        return intake.shed();
    }

    /** Returns how full the gateway is; any thread may ask. */
    public PressureGauge.Level level() {
        return intake.level();
    }

    /** Returns how many clients have logged in. */
    public Sequence logins() {
        return admission.logins();
    }

    /** Returns how many logins and requests were refused for want of credentials or rights. */
    public Sequence denied() {
        return admission.denied();
    }

    /** From now on no command is taken any more, because the service is about to close; callable by any thread. */
    public void refuseAll() {
        intake.refuseAll();
    }

    /**
     * Returns whether that has taken effect: whatever was not accepted by now never will be; callable by any thread.
     */
    public boolean refusesAll() {
        return intake.refusesAll();
    }

    /**
     * Sends all clients away, who find another address, and takes no new ones until it is called with null. Any thread
     * may call it.
     *
     * @param reason that clients are told
     */
    public void away(@Nullable String reason) {
        absence = reason;
        signal.wake();
    }

    /** Returns whether clients are sent away at present; for the gateway's thread. */
    public boolean isAway() {
        return away;
    }

    @Override
    public int work() throws IOException {
        long now = host.nanoTime();
        followAbsence();
        handled = intake.work(now);
        lookAtConnections(polled.isEmpty() || (++rounds & ROUNDS_A_SELECT_MASK) == 0);
        while (intake.refusesMore()) {
            lookAtConnections(true);
        }
        goOnWithHandshakes();
        drainOutput();
        if (now - nextSweep >= 0) {
            nextSweep = now + SWEEP_NANOS;
            for (Listener listener : listeners) {
                listener.resume();
            }
            connections.sweep(now, admission.asks());
            connections.endExpired(admission);
        }
        return handled;
    }

    private void lookAtConnections(boolean select) throws IOException {
        handled += polled.poll(onProgress);
        if (select) {
            selector.selectNow(onReady);
        }
    }

    private void followAbsence() {
        String reason = absence;
        if (away != (reason != null)) {
            away = reason != null;
            intake.away(away);
            if (reason != null) {
                connections.endAll(FailureCode.CLOSING, reason);
            }
        }
    }

    /**
     * Hands what the logic has sent to the sockets, but no more than its ring holds, so that a logic on another thread
     * cannot keep this one here; the logic calls it too, when both share a thread.
     */
    public void drainOutput() {
        long left = outputCapacity;
        int taken;
        while (left > 0 && (taken = outputs.work()) > 0) {
            left -= taken;
        }
        connections.flushDirty();
    }

    /** Puts each output among those of its connection, which are written together afterwards. */
    @Override
    public int onBatch(MemorySegment memory, long offset, int bytes) {
        for (long at = offset; at < offset + bytes; at += Frame.align(Frame.length(memory, at))) {
            onOutput(memory, at, Frame.length(memory, at));
            handled++;
        }
        return bytes;
    }

    @Override
    public void onStop() throws IOException {
        if (stopped) {
            return;
        }
        try {
            for (Listener listener : listeners) {
                listener.close();
            }
            drainOutput();
        } finally {
            stop();
        }
    }

    private void stop() throws IOException {
        stopped = true;
        try (selector;
                MemoryDoor _ = door;
                connections) {
            for (Listener listener : listeners) {
                listener.close();
            }
        } finally {
            intake.end();
        }
    }

    /** Returns whether this gateway takes no outputs any more; callable by any thread. */
    public boolean isStopped() {
        return stopped;
    }

    private void onReady(SelectionKey key) {
        handled++;
        if (key.attachment() instanceof Listener listener) {
            listener.accept();
            return;
        }
        Connection connection = (Connection) key.attachment();
        if (!connection.isOpen()) {
            // It was let go for another one that was ready in the same round.
            return;
        }
        if (key.isWritable()) {
            connection.blocked = false;
            if (connection.held) {
                intake.retryHeld();
            }
        }
        if (key.isReadable() && hears(connection)) {
            read(connection);
        }
        connections.markDirty(connection);
    }

    private boolean hears(Connection connection) {
        try {
            return connection.onReady();
        } catch (IOException e) {
            connections.close(connection);
            return false;
        }
    }

    private Link throughMemory(SocketChannel channel, Connection connection) {
        MemoryLink link =
                MemoryLink.accepted(channel, Objects.requireNonNull(door).path());
        polled.add(connection, link);
        return link;
    }

    private void onProgress(Connection connection, boolean hasInput) {
        connection.blocked = false;
        if (connection.held) {
            intake.retryHeld();
        }
        if (hasInput) {
            read(connection);
        }
        connections.markDirty(connection);
    }

    /** At the end of the stream what is complete is still answered. */
    private void read(Connection connection) {
        try {
            if (!intake.read(connection)) {
                connections.ended(connection);
            }
        } catch (NotTlsException e) {
            admission.refused(connection, String.valueOf(e.getMessage()));
            connection.becomePlain();
            connections.error(connection, FailureCode.UNAUTHENTICATED, "this port speaks TLS alone");
        } catch (SSLException e) {
            admission.refused(connection, "TLS: " + e.getMessage());
            connections.close(connection);
        } catch (IOException e) {
            connections.close(connection);
        }
    }

    private void goOnWithHandshakes() {
        Connection connection;
        while ((connection = handshakes.next()) != null) {
            handled++;
            if (connection.isOpen()) {
                read(connection);
                connections.markDirty(connection);
            }
        }
    }

    private void onOutput(MemorySegment memory, long offset, int length) {
        short type = Message.type(memory, offset);
        if (type == MessageType.UNLOGGED) {
            farewells.again(memory, offset);
            return;
        }
        if (type == MessageType.ITEM && Message.session(memory, offset) == 0) {
            onItem(memory, offset, length);
            return;
        }
        Connection connection = switch (type) {
            case MessageType.WELCOME -> bind(memory, offset);
            case MessageType.ERROR -> bindings.greeted(Message.correlation(memory, offset));
            case MessageType.BUSY -> refused(memory, offset);
            default -> bindings.of(Message.session(memory, offset));
        };
        if (connection != null && !connection.closing) {
            boolean hasMore = Message.hasMore(memory, offset);
            if ((MessageType.isAnswer(type) || type == MessageType.BUSY) && !hasMore && connection.pending > 0) {
                connection.pending--;
            }
            if (connection.held) {
                intake.retryHeld();
            }
            if (MessageType.isAnswer(type) && Message.correlation(memory, offset) == Message.UNASKED) {
                if (type == MessageType.FAILED) {
                    connections.error(
                            connection,
                            FailureCode.SLOW_CONSUMER,
                            "a subscription cannot be renewed: " + FailureNotice.text(memory, offset));
                    return;
                }
                Message.correlation(memory, offset, 0);
            }
            connections.send(connection, memory, offset, length);
            if (hasMore || connection.inPieces) {
                connection.inPieces = hasMore;
                connection.tookPiece(length);
            } else if (type == MessageType.ITEM) {
                // Of a snapshot, or missed before: the state machine sends it at once, however slowly it is read.
                connection.tookPiece(Frame.align(length));
            }
            switch (type) {
                case MessageType.ERROR -> connection.closeWhenFlushed();
                case MessageType.SUBSCRIBED ->
                    subscriptions.add(
                            Subscription.topic(memory, offset),
                            connection,
                            Subscription.sequence(memory, offset),
                            Subscription.index(memory, offset));
                case MessageType.UNSUBSCRIBED -> subscriptions.remove(Subscription.topic(memory, offset), connection);
                default -> {}
            }
        }
    }

    /** The logic refuses because the log is full; a connection without a session may ask for it again later. */
    private @Nullable Connection refused(MemorySegment memory, long offset) {
        long session = Message.session(memory, offset);
        if (session != 0) {
            Connection bound = bindings.of(session);
            if (bound != null) {
                // Should it have been its BYE that was refused.
                bound.leaving = false;
            }
            return bound;
        }
        Connection connection = bindings.greeted(Message.correlation(memory, offset));
        if (connection != null) {
            connection.opening = false;
            bindings.bindWithoutSession(connection);
            connection.notBeforeNanos = host.nanoTime() + Busy.retryAfterNanos(memory, offset);
            Message.correlation(memory, offset, 0);
        }
        return connection;
    }

    private void onItem(MemorySegment memory, long offset, int length) {
        long topic = Message.correlation(memory, offset);
        Subscriptions.Topic of = subscriptions.of(topic);
        if (of == null) {
            return;
        }
        for (int i = of.subscribers.size() - 1; i >= 0; i--) {
            Connection subscriber = of.subscribers.get(i);
            if (subscriber.closing) {
                continue;
            }
            if (subscriber.isBehind() && Subscription.mayBeRenewed(subscriber.revision)) {
                laggards.add(subscriber, topic, of.sequence, of.index);
                subscriptions.remove(topic, subscriber);
            } else {
                connections.send(subscriber, memory, offset, length);
            }
        }
        of.at(Message.sequence(memory, offset), Message.index(memory, offset));
    }

    private @Nullable Connection bind(MemorySegment memory, long offset) {
        long correlation = Message.correlation(memory, offset);
        long session = Message.session(memory, offset);
        Connection connection = bindings.greeted(correlation);
        if (connection == null) {
            farewells.endedBefore(session, correlation);
            return null;
        }
        Connection former = bindings.bind(connection, session);
        if (former != null && former.session == session) {
            connections.error(former, FailureCode.SUPERSEDED, "another connection has resumed this session");
        } else if (former != null) {
            connections.error(
                    former, FailureCode.UNKNOWN_SESSION, "the session was forgotten to make room for a newer one");
        }
        return connection;
    }
}
