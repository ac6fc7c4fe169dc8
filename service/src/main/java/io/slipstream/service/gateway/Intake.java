package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.machine.ClientSchemas;
import io.slipstream.service.net.TlsLink;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.pressure.PendingLimit;
import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.pressure.RetrySpread;
import io.slipstream.service.pressure.Shedding;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import io.slipstream.service.security.Identity;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Requests;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets each conversation take the requests out of what was read, and puts those that there is room for into the input
 * ring.
 *
 * <p>All connections are read into the same memory; a connection keeps only what is not complete yet, and is read into
 * what it keeps once that is long.
 */
final class Intake implements Requests {
    private static final long RETRY_NANOS = 1_000_000;
    private static final int MOST_AT_ONCE = 1 << 20;

    /* A pause that is shorter keeps no refusal waiting. */
    private static final long LONG_PAUSE_NANOS = 2_000_000;

    /* What more refusals may take of the time of the commands. */
    private static final int REFUSALS_SHARE = 20;
    private static final long LONGEST_RETRY_NANOS = 500_000_000;

    private static final String NO_ROOM_FOR_REQUEST = "there is no memory at present to take in so long a request";

    private final Host host;
    private final GatewayLimits limits;
    private final FrameRing input;
    private final MemorySegment ring;
    private final PendingLimit limit;
    private final @Nullable CommandTimes times;
    private final Inflow inflow;
    private final RetrySpread spread = new RetrySpread(0x6C07_8965_59F1_2D5BL);
    private final PressureGauge gauge = new PressureGauge();
    private final Shedding shedding;
    private final Sequence shed = new Sequence();
    private volatile PressureGauge.Level shownLevel = PressureGauge.Level.NORMAL;
    private final Gateways.Pressure pressure;
    private final LongPredicate elsewhere;
    private final Connections connections;
    private final Bindings bindings;
    private final Farewells farewells;
    private final Laggards laggards;
    private final Admission admission;
    private final ClientSchemas schemas;
    private final Sequence refused = new Sequence();
    private final Sequence waiting = new Sequence();
    private final Sequence allowed = new Sequence();
    private final Queue<Connection> held = new ArrayDeque<>();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment readMemory;
    private final ByteBuffer readBytes;
    private Connection connection;
    private long arrivedNanos;
    private long pauseNanos;
    private long refusedBefore;
    private long refusesUntil;
    private long claimed = NO_ROOM;
    private int claimedLength;
    private long retriedAt;
    private long retriedNanos;
    private boolean retry;
    private boolean overLimit;
    private boolean away;
    private volatile boolean refusing;
    private volatile boolean refusingSeen;

    @SuppressWarnings("NullAway.Init")
    Intake(
            Host host,
            GatewayLimits limits,
            FrameRing input,
            Inflow inflow,
            @Nullable CommandTimes times,
            Connections connections,
            Bindings bindings,
            Farewells farewells,
            Laggards laggards,
            Admission admission,
            ClientSchemas schemas,
            Gateways.Pressure pressure,
            LongPredicate elsewhere) {
        this.host = host;
        this.elsewhere = elsewhere;
        this.pressure = pressure;
        this.shedding = limits.shedding();
        this.limits = limits;
        this.input = input;
        this.ring = input.memory();
        this.inflow = inflow;
        this.limit = new PendingLimit(inflow, limits.responseTimeNanos(), limits.minPending(), limits.maxPending());
        this.times = times;
        this.connections = connections;
        this.bindings = bindings;
        this.farewells = farewells;
        this.laggards = laggards;
        this.admission = admission;
        this.schemas = schemas;
        this.arrivedNanos = host.nanoTime();
        this.retriedNanos = arrivedNanos;
        this.readMemory =
                arena.allocate(Math.min(limits.inputBytes(), MOST_AT_ONCE) + TlsLink.maxPacketBytes(), Long.BYTES);
        this.readBytes = readMemory.asByteBuffer();
    }

    /** Returns how many commands were refused. */
    Sequence refused() {
        return refused;
    }

    /** Returns how many requests were refused while there was room, because they can be done without. */
    Sequence shed() {
        return shed;
    }

    /** Returns how many commands wait. */
    Sequence waiting() {
        return waiting;
    }

    /** Returns how many may wait: as many as are likely to be done within the maximum response time. */
    Sequence allowed() {
        return allowed;
    }

    /** Returns how full it is; callable by any thread. */
    PressureGauge.Level level() {
        return shownLevel;
    }

    /** From now on nothing is taken any more; callable by any thread. */
    void refuseAll() {
        refusing = true;
    }

    /** Takes nothing while it is away, but may come back. */
    void away(boolean isAway) {
        away = isAway;
    }

    /** Returns whether the gateway's thread has taken note of {@link #refuseAll}; callable by any thread. */
    boolean refusesAll() {
        return refusingSeen;
    }

    /** Once a round: measures the rate, and ends sessions. Returns how many messages went into the input ring. */
    int work(long nowNanos) {
        pauseNanos = nowNanos - arrivedNanos;
        refusesUntil = 0;
        arrivedNanos = nowNanos;
        limit.measure(nowNanos);
        inflow.look();
        gauge();
        int sent = 0;
        while (farewells.sendOne(nowNanos, inflow)) {
            sent++;
        }
        while (!refusing && laggards.subscribeOne(input, inflow)) {
            sent++;
        }
        if (refusing && !refusingSeen) {
            refusingSeen = true;
        }
        return sent + resumeHeld(nowNanos);
    }

    /**
     * Returns whether something was refused since this was asked last, so that the round should look for more of that
     * kind. Where slow commands have the same thread, a client would else wait for one of them with each piece of what
     * it has sent. What that takes is a small share of the time of the commands.
     */
    boolean refusesMore() {
        long before = refusedBefore;
        refusedBefore = refused.getPlain();
        long waiting = refusedBefore == before ? 0 : limit.pending();
        if (waiting == 0) {
            return false;
        }
        long pause = Math.max(pauseNanos, inflow.nanos() / waiting);
        if (pause < LONG_PAUSE_NANOS) {
            return false;
        }
        long now = host.nanoTime();
        if (refusesUntil == 0) {
            refusesUntil = now + pause / REFUSALS_SHARE;
        }
        return now - refusesUntil < 0;
    }

    /**
     * Shows how many wait and may wait: at the end of a round, when all that has come was read. Where the same thread
     * works at slow commands next, this is what stands there for most of the time.
     */
    void show() {
        waiting.setRelease(limit.pending());
        allowed.setRelease(mostPending());
    }

    private void gauge() {
        long pending = limit.pending();
        long most = mostPending();
        PressureGauge.Level before = gauge.level();
        PressureGauge.Level level = gauge.update(pending, most);
        if (level != before) {
            shownLevel = level;
            pressure.onPressure(level, pending, most);
        }
    }

    /** Returns how many may wait at present: as many of those that do as are done within the response time. */
    private long mostPending() {
        long pending = limit.pending();
        long nanos = inflow.nanos();
        // One that takes longer than that is no crowd.
        return pending <= 1 || nanos == 0
                ? limit.limit()
                : Math.clamp((long) ((double) pending * limits.responseTimeNanos() / nanos), 1, limit.limit());
    }

    /** Returns whether one more that takes {@code nanos} is likely to be done within the response time. */
    private boolean hasTimeFor(long nanos) {
        return times == null
                || limit.pending() == 0
                || inflow.nanos() + nanos <= limits.responseTimeNanos() && busyFor() <= limits.responseTimeNanos();
    }

    /** Returns for how long the machine has been in what it does at present; 0 where nobody measures that. */
    private long busyFor() {
        CommandTimes measured = times;
        return measured == null ? 0 : measured.busyFor(arrivedNanos);
    }

    /** Returns how long a request is likely to take; 0 if nothing like it was measured. */
    private long nanosOf(short type, MemorySegment memory, long offset, int length) {
        CommandTimes measured = times;
        return measured == null ? 0 : Math.max(0, measured.nanos(measured.place(type, memory, offset, length)));
    }

    /** A held connection has got something, and may go on. */
    void retryHeld() {
        retry = true;
    }

    /** Reads what has arrived and takes what is complete; returns false at the end of the stream. */
    boolean read(Connection from) throws IOException {
        int had = from.unparsed();
        int read = from.read(readBytes, readMemory);
        arrivedNanos = host.nanoTime();
        if (read > 0) {
            from.heard(arrivedNanos);
        }
        if (read == Connection.NO_MEMORY) {
            from.keepInPlace(0, 0);
            connections.error(from, FailureCode.TOO_LONG, NO_ROOM_FOR_REQUEST);
            return true;
        }
        int have = had + Math.max(0, read);
        boolean isInPlace = from.readsInPlace();
        int start = isInPlace ? from.inputStart() : 0;
        // What comes behind a request that has to wait waits too.
        int taken = from.held ? 0 : take(from, isInPlace ? from.inputMemory() : readMemory, start, have);
        if (isInPlace) {
            from.keepInPlace(start + taken, have - taken);
        } else if (!from.keep(readMemory, taken, have - taken)) {
            connections.error(from, FailureCode.TOO_LONG, NO_ROOM_FOR_REQUEST);
        }
        return read >= 0;
    }

    /** Goes on with the held connections, if something has changed; returns how many go on. */
    private int resumeHeld(long nowNanos) {
        long done = inflow.processed().getAcquire();
        if (held.isEmpty()
                || (!retry && done == retriedAt && nowNanos - retriedNanos < RETRY_NANOS)
                || host.strikes(FaultPoint.LATE_RETRY)) {
            return 0;
        }
        retry = false;
        retriedAt = done;
        retriedNanos = nowNanos;
        int resumed = 0;
        for (int i = held.size(); i > 0; i--) {
            // What cannot go on after all comes behind those that wait.
            Connection waiting = held.remove();
            waiting.held = false;
            waiting.idle = false;
            if (waiting.isOpen()) {
                int have = waiting.unparsed();
                int start = waiting.inputStart();
                int taken = take(waiting, waiting.inputMemory(), start, have);
                if (taken > 0) {
                    waiting.keepInPlace(start + taken, have - taken);
                }
                resumed += waiting.held ? 0 : 1;
                connections.markDirty(waiting);
            }
        }
        return resumed;
    }

    /** Returns how many bytes were taken. */
    private int take(Connection from, MemorySegment memory, int start, int bytes) {
        connection = from;
        int at = 0;
        while (at < bytes && !from.closing && from.isOpen()) {
            // A client that does not read the answers that it has gets no more of them.
            boolean waits = from.isLagging() || at > 0 && host.strikes(FaultPoint.SHORT_INTAKE);
            int taken = waits ? Conversation.WAIT : decode(from, memory, start + at, bytes - at);
            if (taken > 0) {
                at += taken;
            } else if (taken == Conversation.INCOMPLETE) {
                if (bytes - at >= maxBytes()) {
                    error(FailureCode.TOO_LONG, "a request has at most " + maxBytes() + " bytes");
                }
                break;
            } else {
                from.held = true;
                from.idle = taken == Conversation.IDLE;
                held.add(from);
                break;
            }
        }
        return from.closing ? bytes : at;
    }

    private int decode(Connection from, MemorySegment memory, int offset, int length) {
        try {
            int taken = from.conversation.decode(memory, offset, length, this, from);
            if (from.broken || from.tooSlow) {
                connections.wrote(from);
            } else if (from.hasOutput()) {
                connections.markDirty(from);
            }
            return taken;
        } catch (RuntimeException e) {
            error(FailureCode.MALFORMED, "this request cannot be understood: " + e);
            return length;
        } finally {
            // A claim that was left open would hold up everybody.
            if (claimed != NO_ROOM) {
                input.abort(claimed);
                claimed = NO_ROOM;
            }
        }
    }

    @Override
    public long session() {
        return connection.session;
    }

    @Override
    public boolean isOutOfLog() {
        return connection.outOfLog;
    }

    @Override
    public boolean isOpening() {
        return connection.opening;
    }

    @Override
    public boolean login(byte[] token) {
        if (admission.login(connection, token)) {
            return true;
        }
        error(FailureCode.UNAUTHENTICATED, "this service wants a token or a certificate that is valid");
        return false;
    }

    @Override
    public void revision(int revision) {
        connection.revision = revision;
    }

    @Override
    public boolean schema(long fingerprint, String definitions) {
        if (connection.toldSchema) {
            error(FailureCode.MALFORMED, "SCHEMA came twice");
            return false;
        }
        connection.toldSchema = true;
        String refusal = schemas.refusal(fingerprint, definitions);
        if (!refusal.isEmpty()) {
            error(FailureCode.OTHER_SCHEMA, refusal);
        }
        return refusal.isEmpty();
    }

    @Override
    public boolean needsLogin() {
        return connection.identity == null
                && admission.asks()
                && connection.certificates().isEmpty();
    }

    @Override
    public String remote() {
        return connection.remote();
    }

    @Override
    public boolean open() {
        long key;
        do {
            key = host.secret();
        } while (key == 0);
        connection.ephemeral = true;
        return resume(key, 0, 0, 0);
    }

    @Override
    public boolean resume(long key, long lastSequence, int lastIndex, long number) {
        if (connection.opening) {
            throw new IllegalStateException("a session was asked for on this connection already");
        }
        Identity identity = connection.identity;
        if (identity == null && login(new byte[0])) {
            identity = connection.identity;
        }
        if (identity == null) {
            return false;
        }
        byte[] principal = identity.principal().getBytes(StandardCharsets.UTF_8);
        int bytes = Hello.entryBytes(number);
        long position = isClosing() || host.nanoTime() - connection.notBeforeNanos < 0
                ? FrameRing.NO_ROOM
                : input.tryClaim(Message.HEADER_BYTES + bytes + principal.length - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        long at = input.offset(position);
        Hello.encodeEntryWithoutLength(ring, at, key, lastSequence, lastIndex, number);
        MemorySegment.copy(
                principal, 0, ring, ValueLayout.JAVA_BYTE, at + Message.HEADER_BYTES + bytes, principal.length);
        Message.correlation(ring, at, bindings.greet(connection));
        inflow.accept(0);
        input.publish(position);
        connection.opening = true;
        return true;
    }

    @Override
    public int pending() {
        return connection.pending;
    }

    @Override
    public int maxPayloadLength() {
        return limits.maxFrameLength() - Message.HEADER_BYTES;
    }

    @Override
    public int maxBytes() {
        return limits.inputBytes();
    }

    @Override
    public long claim(short type, long correlation, int length) {
        long session = connection.session;
        if (session == 0) {
            if (!connection.outOfLog || type != MessageType.QUERY) {
                throw new IllegalStateException("there is no session yet");
            }
            session = Bindings.withoutSession(connection);
        }
        if (length < 0 || length > maxPayloadLength()) {
            throw new IllegalArgumentException(
                    "a request has from 0 to " + maxPayloadLength() + " bytes, not " + length);
        }
        if (claimed != NO_ROOM) {
            throw new IllegalStateException("the claim before was not published");
        }
        overLimit = false;
        if (isClosing() || !limit.hasRoom() || !hasTimeFor(0) || host.strikes(FaultPoint.FULL_RING)) {
            return NO_ROOM;
        }
        long position = input.tryClaim(Message.HEADER_BYTES - Frame.HEADER_BYTES + length);
        if (position == FrameRing.NO_ROOM) {
            return NO_ROOM;
        }
        if (!admission.takes(connection, length)) {
            input.abort(position);
            overLimit = true;
            return NO_ROOM;
        }
        claimed = position;
        claimedLength = length;
        long at = input.offset(position);
        Message.headerWithoutLength(ring, at, type, session, correlation);
        Message.resumption(ring, at, connection.resumption);
        if (times != null && MessageType.isRequest(type)) {
            // Whoever logs it, or lets it pass, puts the time of the log in this place.
            Message.timeNanos(ring, at, arrivedNanos);
        }
        return at + Message.HEADER_BYTES;
    }

    @Override
    public MemorySegment memory() {
        return ring;
    }

    /** What is shed finds no room, so that its protocol can let wait what may have been applied before. */
    @Override
    public boolean offer(short type, long correlation, MemorySegment payload, long offset, int length) {
        if (!permits(type, payload, offset, length)) {
            forbid(correlation);
            return true;
        }
        if (type == MessageType.SUBSCRIBE) {
            String refusal = laggards.refusal(connection, Subscription.topic(payload, offset - Message.HEADER_BYTES));
            if (refusal != null) {
                fail(correlation, FailureCode.TOO_MANY_SUBSCRIPTIONS, refusal);
                return true;
            }
        }
        if (!hasTimeFor(nanosOf(type, payload, offset, length))
                || isShedding() && sheds(type, payload, offset, length)) {
            overLimit = false;
            return false;
        }
        long at = claim(type, correlation, length);
        if (at == NO_ROOM) {
            return false;
        }
        MemorySegment.copy(payload, offset, ring, at, length);
        send();
        return true;
    }

    @Override
    public void publish() {
        publish(claimed == NO_ROOM ? 0 : Message.type(ring, input.offset(claimed)));
    }

    @Override
    public boolean permits(short right, MemorySegment payload, long offset, int length) {
        return admission.permits(connection, right, payload, offset, length);
    }

    @Override
    public void publish(short right) {
        if (claimed == NO_ROOM) {
            throw new IllegalStateException("nothing was claimed");
        }
        long at = input.offset(claimed);
        if (isShedding() && sheds(Message.type(ring, at), ring, at + Message.HEADER_BYTES, claimedLength)) {
            busy(takeBack(at));
            return;
        }
        if (permits(right, ring, at + Message.HEADER_BYTES, claimedLength)) {
            send();
        } else {
            forbid(takeBack(at));
        }
    }

    private void forbid(long correlation) {
        fail(correlation, FailureCode.FORBIDDEN, "you may not do this");
    }

    private void send() {
        long at = input.offset(claimed);
        short type = Message.type(ring, at);
        connection.pending++;
        connection.leaving |= type == MessageType.BYE;
        if (type == MessageType.SUBSCRIBE || type == MessageType.UNSUBSCRIBE) {
            laggards.forget(connection, Subscription.topic(ring, at));
        }
        inflow.accept(nanosOf(type, ring, at + Message.HEADER_BYTES, claimedLength));
        input.publish(claimed);
        claimed = NO_ROOM;
    }

    /** Nobody gets what was claimed; returns its correlation. */
    private long takeBack(long at) {
        long correlation = Message.correlation(ring, at);
        input.abort(claimed);
        claimed = NO_ROOM;
        return correlation;
    }

    private boolean sheds(short type, MemorySegment memory, long offset, int length) {
        boolean sheds = (type == MessageType.QUERY || type == MessageType.COMMAND)
                && shedding.sheds(type, memory, offset, length);
        if (sheds) {
            shed.setRelease(shed.getPlain() + 1);
        }
        return sheds;
    }

    @Override
    public long epochNanos() {
        return host.epochNanos();
    }

    @Override
    public boolean isClosing() {
        return refusing || away;
    }

    @Override
    public void busy(long correlation) {
        refused.setRelease(refused.getPlain() + 1);
        Allowance allowance = connection.allowance;
        if (overLimit && allowance != null) {
            connections.overLimit(
                    connection, correlation, Math.max(RETRY_NANOS, allowance.retryAfterNanos(host.nanoTime())));
        } else {
            long likely = Math.max(inflow.nanos(), busyFor());
            long retryAfterNanos =
                    Math.max(limit.retryAfterNanos(), spread.next(Math.clamp(likely, 1, LONGEST_RETRY_NANOS)));
            connections.busy(connection, correlation, retryAfterNanos, limit.pending(), mostPending());
        }
    }

    @Override
    public void fail(long correlation, FailureCode code, String text) {
        connections.fail(connection, correlation, code, text);
    }

    @Override
    public void error(FailureCode code, String text) {
        connections.error(connection, code, text);
    }

    @Override
    public void close() {
        close(connection);
    }

    @Override
    public boolean close(long session) {
        return closeHere(session) || elsewhere.test(session);
    }

    /** Closes the connection of that session, if it is one of this gateway; returns whether it is. */
    boolean closeHere(long session) {
        Connection other = bindings.of(session);
        if (other != null) {
            close(other);
        }
        return other != null;
    }

    private void close(Connection which) {
        which.closeWhenFlushed();
        connections.markDirty(which);
    }

    /** Gives the memory back; the gateway reads no more. */
    void end() {
        arena.close();
    }

    private boolean isShedding() {
        return gauge.level().compareTo(PressureGauge.Level.SHEDDING) >= 0;
    }
}
