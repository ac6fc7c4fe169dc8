package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.net.Link;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.net.NotTlsException;
import io.slipstream.service.net.SelectorSignal;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes connections on one thread: all those of a service, or the share of one of several {@link Gateways}.
 */
public final class Gateway implements Duty, SmartBatcher.Sink<RuntimeException> {
    private static final int OUTPUT_BATCH_BYTES = 1 << 16;
    private static final long SWEEP_NANOS = 1_000_000_000;

    /* A look into memory costs nothing beside a look at sockets. */
    private static final int ROUNDS_A_SELECT_MASK = 7;

    private static final int REWRITTEN_BYTES =
            Frame.align(Message.HEADER_BYTES + Math.max(Subscription.BYTES, Busy.BYTES));

    private final Gateways together;
    private final int number;
    private final Host host;
    private final SmartBatcher<RuntimeException> outputs;
    private final long outputCapacity;
    private final Selector selector;
    private final Signal signal;
    private final Bindings bindings;
    private final Subscriptions subscriptions = new Subscriptions();
    private final Laggards laggards = new Laggards(subscriptions);
    private final Connections connections;
    private final Farewells farewells;
    private final Inflow inflow;
    private final Intake intake;
    private final Admission admission;
    private final Handshakes<Connection> handshakes;
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final Polled polled = new Polled();
    private final Polled.Sink onProgress = this::onProgress;
    private final Listener.Links overTcp;

    /* What other threads ask of this one. */
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final MemorySegment rewritten = Arena.ofAuto().allocate(REWRITTEN_BYTES, Long.BYTES);
    private @Nullable Reception reception;
    private int rounds;
    private volatile boolean stopped;
    private volatile @Nullable String absence;
    private boolean away;
    private long nextSweep;
    private int handled;

    /**
     * Creates one of several.
     *
     * @param number which one it is, from 0 on
     * @param count  how many there are
     * @param poller takes from the output ring
     * @param inflow counts what this one puts into the input ring
     */
    Gateway(Gateways together, int number, int count, FramePoller poller, Inflow inflow, Gateways.Pressure pressure)
            throws IOException {
        this.together = together;
        this.number = number;
        this.host = together.host;
        this.inflow = inflow;
        this.bindings = new Bindings(number, count);
        this.outputs = new SmartBatcher<>(together.output, poller, OUTPUT_BATCH_BYTES, this);
        this.outputCapacity = together.output.capacity();
        this.selector = host.network().openSelector();
        this.signal = new SelectorSignal(selector, onReady, polled);
        Farewells farewells = new Farewells(host, together.input);
        this.farewells = farewells;
        this.connections = new Connections(
                host, bindings, subscriptions, farewells, together.limits.bufferBytes(), together.report);
        this.admission = new Admission(host, together.security, together.allowances);
        this.handshakes = new Handshakes<>(task -> host.run("slipstream-tls", task), signal);
        this.overTcp = Listener.overTcp(together.security.tls(), handshakes);
        this.intake = new Intake(
                host,
                together.limits,
                together.input,
                inflow,
                together.times,
                connections,
                bindings,
                farewells,
                laggards,
                admission,
                together.schemas,
                pressure,
                session -> together.closeElsewhere(this, session));
    }

    /** Lets this one accept what comes there; before its thread starts. */
    void receives(Reception newReception) {
        reception = newReception;
    }

    Selector selector() {
        return selector;
    }

    /** Returns where the gateway's thread sleeps: in the selector. */
    public Signal signal() {
        return signal;
    }

    /** Returns how many bytes of memory the connections hold for what was read or is to be written. */
    public long connectionBytes() {
        return connections.buffers().leasedBytes();
    }

    /** Returns how many connections that this gateway was given have ended. */
    Sequence closed() {
        return connections.closed();
    }

    /** Returns how many messages this gateway has put into the input ring. */
    public Sequence accepted() {
        return inflow.accepted();
    }

    /** Returns how many commands wait, of all gateways. */
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
        if (!asked.isEmpty()) {
            // Not to sleep over it.
            handled += host.strikes(FaultPoint.LATE_ASK) ? 1 : doAsked();
        }
        lookAtConnections(polled.isEmpty() || (++rounds & ROUNDS_A_SELECT_MASK) == 0);
        while (intake.refusesMore()) {
            lookAtConnections(true);
        }
        intake.show();
        goOnWithHandshakes();
        drainOutput();
        if (now - nextSweep >= 0) {
            nextSweep = now + SWEEP_NANOS;
            if (reception != null) {
                reception.resume();
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
        drainOutput(host.strikes(FaultPoint.SHORT_OUTPUT) ? 1 : outputCapacity);
    }

    private void drainOutput(long most) {
        long left = most;
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
            if (reception != null) {
                reception.shut();
            }
            drainOutput(outputCapacity);
        } finally {
            stop();
        }
    }

    private void stop() throws IOException {
        stopped = true;
        doAsked();
        try (selector;
                Reception present = reception;
                connections) {
            if (present != null) {
                present.shut();
            }
        } finally {
            intake.end();
        }
    }

    /** Lets this gateway's thread do that soon; callable by any thread. One that has ended does it at once. */
    void ask(Runnable action) {
        asked.add(action);
        signal.wake();
        if (stopped) {
            doAsked();
        }
    }

    private int doAsked() {
        int done = 0;
        Runnable action;
        while ((action = asked.poll()) != null) {
            action.run();
            done++;
        }
        return done;
    }

    /** A client that has gone already, or that there is no memory for, is let go: the others go on. */
    void take(SocketChannel channel, Listener from, boolean isOneTooMany) {
        try {
            if (stopped) {
                channel.close();
                return;
            }
            Connection connection = connect(channel, from);
            connections.add(connection);
            if (isOneTooMany) {
                connections.error(
                        connection,
                        FailureCode.TOO_MANY_CONNECTIONS,
                        "the service takes no more than " + together.limits.maxConnections() + " connections");
            }
        } catch (IOException e) {
            turnAway(channel);
        } catch (OutOfMemoryError e) {
            turnAway(channel);
            from.pause(e);
        }
    }

    private Connection connect(SocketChannel channel, Listener from) throws IOException {
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Connection connection = new Connection(
                bindings.newNumber(),
                host,
                channel,
                key,
                from.protocol().begin(),
                together.limits.inputBytes(),
                together.limits.maxOutputBytes(),
                connections.buffers());
        connection.secure(from.isShared() ? throughMemory(channel, connection) : overTcp.open(channel, connection));
        key.attach(connection);
        return connection;
    }

    private void turnAway(SocketChannel channel) {
        connections.turnedAway();
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to do for a socket that cannot even be closed.
        }
    }

    /** Closes the connection of that session, if it is one of this gateway. */
    void close(long session) {
        if (!stopped) {
            intake.closeHere(session);
        }
    }

    /** Returns whether this gateway takes no outputs any more; callable by any thread. */
    public boolean isStopped() {
        return stopped;
    }

    private void onReady(SelectionKey key) {
        handled++;
        if (key.attachment() instanceof Listener listener) {
            if (!host.strikes(FaultPoint.LATE_ACCEPT)) {
                listener.accept();
            }
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
        if (key.isReadable() && !host.strikes(FaultPoint.LATE_READ) && hears(connection)) {
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
        MemoryLink link = MemoryLink.accepted(channel, Objects.requireNonNull(together.memory));
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

    /** All gateways read the same memory, so none writes there. What is for another one finds no connection here. */
    private void onOutput(MemorySegment memory, long offset, int length) {
        short type = Message.type(memory, offset);
        if (type == MessageType.UNLOGGED) {
            // Whose connection it was makes no difference by now.
            if (number == 0) {
                farewells.again(memory, offset);
            }
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
            boolean isUnasked = MessageType.isAnswer(type) && Message.correlation(memory, offset) == Message.UNASKED;
            if (isUnasked && type == MessageType.FAILED) {
                connections.error(
                        connection,
                        FailureCode.SLOW_CONSUMER,
                        "a subscription cannot be renewed: " + FailureNotice.text(memory, offset));
                return;
            }
            if (type == MessageType.WELCOME) {
                connection.resumption = Message.index(memory, offset);
                sendWithoutOwn(connection, memory, offset, length);
            } else if (isUnasked || type == MessageType.BUSY && Message.session(memory, offset) == 0) {
                sendWithoutOwn(connection, memory, offset, length);
            } else {
                connections.send(connection, memory, offset, length);
            }
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
        }
        return connection;
    }

    /** What is the gateway's own, and not for the client: a connection's number, how often a session was resumed. */
    private void sendWithoutOwn(Connection connection, MemorySegment memory, long offset, int length) {
        MemorySegment.copy(memory, offset, rewritten, 0, length);
        if (Message.type(memory, offset) == MessageType.WELCOME) {
            Message.index(rewritten, 0, 0);
        } else {
            Message.correlation(rewritten, 0, 0);
        }
        connections.send(connection, rewritten, 0, length);
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
            if ((subscriber.staysBehind() || host.strikes(FaultPoint.LAGGARD))
                    && Subscription.mayBeRenewed(subscriber.revision)) {
                laggards.add(subscriber, topic, of.sequence, of.index);
            } else {
                connections.send(subscriber, memory, offset, length);
            }
        }
        of.at(Message.sequence(memory, offset), Message.index(memory, offset));
    }

    private @Nullable Connection bind(MemorySegment memory, long offset) {
        long correlation = Message.correlation(memory, offset);
        long session = Message.session(memory, offset);
        if (!bindings.isOurs(correlation)) {
            Connection left = bindings.unbind(session);
            if (left != null) {
                superseded(left);
            }
            return null;
        }
        Connection connection = bindings.greeted(correlation);
        if (connection == null) {
            farewells.endedBefore(session, correlation);
            return null;
        }
        Connection former = bindings.bind(connection, session);
        if (former != null && former.session == session) {
            superseded(former);
        } else if (former != null) {
            connections.error(
                    former, FailureCode.UNKNOWN_SESSION, "the session was forgotten to make room for a newer one");
        }
        return connection;
    }

    private void superseded(Connection former) {
        connections.error(former, FailureCode.SUPERSEDED, "another connection has resumed this session");
    }
}
