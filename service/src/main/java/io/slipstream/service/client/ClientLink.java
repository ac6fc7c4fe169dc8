package io.slipstream.service.client;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.Patience;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Welcome;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One client on its thread: keeps a connection to the service, sends what is outstanding, hands out the answers.
 */
final class ClientLink {
    private static final int WRITE_BYTES = 1 << 16;
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 500_000_000;

    /* A machine that has lost its power says nothing: who only listens has to ask whether it is still there. */
    private static final long PROBE_NANOS = Hello.SIGN_OF_LIFE_NANOS;

    /* Where there is another one to go to, it is worth asking sooner. */
    private static final long PROBE_OF_SEVERAL_NANOS = 1_000_000_000L;
    private static final int SILENT_PROBES = 3;

    /* While much comes in, the clock is looked at now and then. */
    private static final int ROUNDS_A_LOOK_MASK = 7;
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final Host machine;
    private final ClientLoop loop;
    private final List<Endpoint> services;
    private final long probeNanos;
    private int member;
    private Endpoint service;
    private final long key;
    private final Duration connectTimeout;
    private final long connectNanos;
    private final long reconnectNanos;
    private final ReplyHandler handler;
    private final Wire wire;
    private MemorySegment inputMemory;
    private final Outstanding outstanding;
    private final Completions completions;
    private final Backlog backlog = new Backlog();
    private final FeedTable feeds;
    private final ByteBuffer ringBytes;
    private final byte[] token;
    private final ByteBuffer hello;

    /** The message that tells the service what the records of this client look like; empty for none. */
    private final ByteBuffer schema;

    private final CompletableFuture<Void> firstWelcome = new CompletableFuture<>();

    private boolean ready;

    /** This connection has not said hello yet. */
    private boolean isConnecting;

    /** This connection has told the service the schema, or is about to, and waits for the answer. */
    private boolean asksSchema;

    private int roundsHeard;

    /** Closed by its own thread, which may not free the memory that it still works with. */
    private boolean closedByItself;

    private volatile boolean closing;
    private volatile boolean ended;

    /** This connection has brought something: an output, or that there is none to be sent again. */
    private boolean advanced;

    private int following;

    /** Something has arrived since this was looked at last. */
    private boolean heard;

    private boolean probed;
    private long heardAtNanos;

    /** Something was sent since this was looked at last. */
    private boolean spoke;

    private long spokeAtNanos;
    private volatile long session;
    private long lastSequence;
    private long caughtUpTo;
    private int lastIndex;

    /*
     * What is being written at present, and how far that is done; it may be answered meanwhile, but must not be reused.
     */
    private long pieceStart;
    private long pieceEnd;
    private long cursor;

    /** What begins before this position was sent, at least in part, on this or an earlier connection. */
    private long sentTo;

    private long lostAtNanos;
    private long nextAttemptNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private volatile int maxFrameLength = Integer.MAX_VALUE;
    private volatile String lastError = "not connected yet";
    private volatile @Nullable ServiceException terminal;

    /** What becomes of what was sent when this link ended; null before that. */
    private @Nullable ConnectionLostException unknown;

    ClientLink(
            ClientThread thread,
            List<Endpoint> services,
            @Nullable Tls tls,
            byte[] token,
            byte[] schema,
            long key,
            boolean isNumbered,
            Duration connectTimeout,
            Duration reconnectTimeout,
            int windowBytes,
            ReplyHandler handler,
            @Nullable Executor executor)
            throws IOException {
        this.token = token;
        this.schema =
                ByteBuffer.allocateDirect(schema.length).put(schema).flip().asReadOnlyBuffer();
        this.hello = ByteBuffer.allocateDirect(Frame.align(Message.HEADER_BYTES + Hello.BYTES + token.length));
        this.machine = thread.machine();
        this.loop = thread.loop();
        this.lostAtNanos = machine.nanoTime();
        this.nextAttemptNanos = lostAtNanos;
        this.wire = new Wire(machine, loop.selector(), loop.signal(), tls, this::deliver);
        this.inputMemory = wire.inputMemory();
        this.services = services;
        this.probeNanos = services.size() > 1 ? PROBE_OF_SEVERAL_NANOS : PROBE_NANOS;
        this.service = services.getFirst();
        this.key = key;
        this.connectTimeout = connectTimeout;
        this.connectNanos = Patience.nanos(connectTimeout);
        this.reconnectNanos = Patience.nanos(reconnectTimeout);
        this.handler = handler;
        this.outstanding = new Outstanding(windowBytes, loop.signal(), isNumbered);
        this.completions = new Completions(outstanding, handler, executor);
        this.feeds = new FeedTable(machine, outstanding, loop.signal());
        this.ringBytes = outstanding.memory().asByteBuffer();
    }

    Outstanding outstanding() {
        return outstanding;
    }

    FeedTable feeds() {
        return feeds;
    }

    /** Completes when the service has first said welcome, or when that will not happen. */
    CompletableFuture<Void> firstWelcome() {
        return firstWelcome;
    }

    /** Returns the number of the session; 0 before the first welcome. */
    long session() {
        return session;
    }

    /** Returns the longest payload that the service takes, as far as it has said so. */
    int maxPayloadLength() {
        return Math.min(maxFrameLength - Message.HEADER_BYTES, outstanding.maxPayloadLength());
    }

    /** Returns that the service could not be reached in time at first, and what went wrong last. */
    String noFirstConnection() {
        return "cannot connect to " + Endpoint.text(services) + " within " + ServiceClient.seconds(connectTimeout)
                + ": " + lastError;
    }

    /** Returns whether the calling thread is the one that completes what others wait for, so that it must not wait. */
    boolean isOwnThread() {
        return loop.isOwnThread();
    }

    /** Returns what the own thread has sent while there was no room for it. */
    Backlog backlog() {
        return backlog;
    }

    /** The memory is freed when the thread ends; for the own thread. */
    void closeAtEnd() {
        closedByItself = true;
    }

    /** Returns why nothing can be sent any more, or null. */
    @Nullable
    ServiceException terminal() {
        return terminal;
    }

    /** Returns whether the selector has to be asked before each round. */
    boolean needsSelector() {
        return wire.needsSelector();
    }

    /** Lets the loop end this; any thread. */
    void endSoon() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }

    /** Returns whether the loop has ended this. */
    boolean hasEnded() {
        return ended;
    }

    /** See {@link io.slipstream.service.net.SelectorSignal.Bells}. */
    boolean arm() {
        return wire.arm();
    }

    void disarm() {
        wire.disarm();
    }

    /**
     * Does what there is to do; returns how much that was.
     *
     * @param readsUnasked whether to read also if the selector has not said that there is something
     */
    int work(boolean readsUnasked) {
        if (terminal != null) {
            fail(terminal);
            return 0;
        }
        try {
            if (!wire.isOpen()) {
                return connectWhenDue();
            }
            if (ready) {
                feeds.work();
            }
            int received = wire.receive(readsUnasked);
            if (!wire.hasGreeted()) {
                return received;
            }
            if (isConnecting) {
                connected();
            }
            heard |= received > 0;
            int sent = ready ? send() : asksSchema ? sendSchema() : 0;
            spoke |= sent > 0;
            int done = received + sent;
            if (done == 0 || received > 0 && sent == 0 && (++roundsHeard & ROUNDS_A_LOOK_MASK) == 0) {
                requireSignOfLife();
            }
            if (!machine.strikes(FaultPoint.LATE_RELEASE)) {
                outstanding.release(cursor < pieceEnd ? pieceStart : outstanding.newest());
            }
            return backlog.isEmpty() ? done : done + backlog.moveTo(outstanding);
        } catch (SSLException e) {
            if (!firstWelcome.isDone()) {
                end(new ServiceException(FailureCode.UNAUTHENTICATED, "no TLS with " + service + ": " + reason(e)));
            }
            disconnected("TLS: " + reason(e));
            return 1;
        } catch (IOException e) {
            disconnected(e.getMessage() == null ? e.toString() : e.getMessage());
            return 1;
        } catch (RuntimeException | Error e) {
            ConnectionLostException ended = new ConnectionLostException("the client has failed, and ended: " + e);
            ended.initCause(e);
            end(ended);
            throw e;
        }
    }

    private static String reason(SSLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("Received fatal alert") && message.contains("certificate")
                ? "the service does not accept the certificate of this client: " + message
                : message;
    }

    /** Ends it, and fails what has no answer. */
    void end() {
        ServiceException closed = new ConnectionLostException("the client was closed");
        try {
            end(closed);
            fail(closed);
        } finally {
            wire.close();
            if (closedByItself) {
                outstanding.close();
            }
            ended = true;
        }
    }

    /** What was sent may have been applied, whatever it was that ended the connection. */
    private void fail(ServiceException why) {
        ConnectionLostException lost = unknown;
        if (lost == null) {
            lost = ConnectionLostException.of(why);
            unknown = lost;
        }
        completions.failBefore(sentTo, lost);
        completions.failAll(why);
        backlog.failAll(completions, why);
        feeds.end(why);
    }

    /**
     * Asks a service that has been silent for long whether it is there, and takes the connection for lost at last. The
     * same question tells a service that this client is there, should it have had nothing else to say for as long.
     */
    private void requireSignOfLife() throws IOException {
        long now = machine.nanoTime();
        if (spoke) {
            spoke = false;
            spokeAtNanos = now;
        }
        if (heard) {
            heard = false;
            probed = false;
            heardAtNanos = now;
        } else if (now - heardAtNanos > SILENT_PROBES * probeNanos) {
            throw new IOException(
                    "the service has been silent for " + SILENT_PROBES * probeNanos / 1_000_000_000 + " s");
        } else if (ready && !probed && (now - heardAtNanos > probeNanos || machine.strikes(FaultPoint.EARLY_PROBE))) {
            probed = outstanding.add(MessageType.STATUS, NOTHING, 0, 0, 0, new CompletableFuture<>());
            return;
        }
        if (ready && now - spokeAtNanos > Hello.SIGN_OF_LIFE_NANOS) {
            outstanding.add(MessageType.STATUS, NOTHING, 0, 0, 0, new CompletableFuture<>());
            spokeAtNanos = now;
        }
    }

    private int connectWhenDue() throws IOException {
        long now = machine.nanoTime();
        boolean isFirst = !firstWelcome.isDone();
        if (now - lostAtNanos > (isFirst ? connectNanos : reconnectNanos)) {
            end(new ConnectionLostException(
                    isFirst ? noFirstConnection() : "no connection to " + Endpoint.text(services) + ": " + lastError));
            return 1;
        }
        if (now - nextAttemptNanos < 0) {
            return 0;
        }
        nextAttemptNanos = now + pauseNanos;
        service = services.get(member);
        member = (member + 1) % services.size();
        if (member == 0) {
            // All of them were tried.
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
        connect();
        return 1;
    }

    private void connect() throws IOException {
        ready = false;
        asksSchema = false;
        advanced = false;
        MemorySegment memory = MemorySegment.ofBuffer(hello.clear());
        Hello.encode(memory, 0, key, lastSequence, lastIndex);
        Hello.revision(memory, 0, Hello.REVISION);
        Frame.length(memory, 0, Message.HEADER_BYTES + Hello.BYTES + token.length);
        MemorySegment.copy(token, 0, memory, ValueLayout.JAVA_BYTE, Message.HEADER_BYTES + Hello.BYTES, token.length);
        Message.correlation(memory, 0, loop.numbers().next());
        try {
            wire.connect(service, hello);
            isConnecting = true;
        } catch (UnknownHostException e) {
            if (!firstWelcome.isDone() && services.size() == 1) {
                end(new ConnectionLostException("there is no host " + service.host()));
            }
            throw new IOException("there is no host " + service.host(), e);
        }
    }

    private void connected() {
        isConnecting = false;
        heard = true;
        spoke = true;
        lastError = "something listens there, but it has not answered: either it is no Slipstream service, or one that"
                + " has much to do, such as a command that takes long";
    }

    /**
     * A connection that has brought nothing was none: the pauses between attempts grow, and the time for them goes on.
     */
    private void disconnected(String why) {
        if (wire.isOpen() && advanced) {
            lostAtNanos = machine.nanoTime();
            nextAttemptNanos = lostAtNanos;
            pauseNanos = FIRST_PAUSE_NANOS;
        }
        lastError = why;
        close();
    }

    private void close() {
        ready = false;
        pieceEnd = cursor;
        wire.close();
        feeds.onCut();
    }

    /** What a handler throws must not end the link: it goes where uncaught exceptions go. */
    private void deliver(int offset, int length) {
        inputMemory = wire.inputMemory();
        try {
            onMessage(offset, length);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private void onMessage(int offset, int length) {
        if (asksSchema && answersSchema(offset)) {
            asksSchema = false;
            becomeReady();
            return;
        }
        switch (Message.type(inputMemory, offset)) {
            case MessageType.REPLY -> onReply(offset, length);
            case MessageType.EVENT -> onEvent(offset, length);
            case MessageType.BUSY -> onBusy(offset);
            case MessageType.FAILED -> onFailed(offset);
            case MessageType.ITEM -> feeds.onItem(inputMemory, offset, length);
            case MessageType.SUBSCRIBED, MessageType.UNSUBSCRIBED -> onSubscription(offset);
            case MessageType.WELCOME -> onWelcome(offset);
            case MessageType.ERROR -> onError(offset);
            default -> lastError = "the service sent a message of unknown type " + Message.type(inputMemory, offset);
        }
    }

    private void onWelcome(int offset) {
        long welcomed = Message.session(inputMemory, offset);
        if (session != 0 && session != welcomed) {
            completions.failBefore(
                    sentTo,
                    new ConnectionLostException(
                            "the service has forgotten the session; whether the command was applied is unknown"));
        }
        session = welcomed;
        following = Welcome.following(inputMemory, offset);
        maxFrameLength = Welcome.maxFrameLength(inputMemory, offset);
        completions.failLongerThan(maxFrameLength);
        // What was seen last may be of a log that this one does not go on from: a backup, or another site.
        caughtUpTo = Welcome.missed(inputMemory, offset) ? Message.sequence(inputMemory, offset) : 0;
        if (caughtUpTo > 0) {
            handler.onMissedOutputs();
        }
        readyWhenCaughtUp();
    }

    /** What is still unanswered after all that the service has kept was received, is sent again. */
    private void readyWhenCaughtUp() {
        if (ready || asksSchema || following > 0) {
            return;
        }
        if (caughtUpTo > 0) {
            lastSequence = caughtUpTo;
            lastIndex = 0;
            caughtUpTo = 0;
        }
        asksSchema = schema.capacity() > 0 && schema.capacity() <= maxFrameLength;
        if (asksSchema) {
            schema.rewind();
        } else {
            becomeReady();
        }
    }

    private void becomeReady() {
        ready = true;
        advanced = true;
        outstanding.markResent(sentTo);
        cursor = outstanding.oldest();
        pieceEnd = cursor;
        pauseNanos = FIRST_PAUSE_NANOS;
        firstWelcome.complete(null);
    }

    /** Returns whether that says that the service can read this client, or is too old to look. */
    private boolean answersSchema(int offset) {
        short type = Message.type(inputMemory, offset);
        return Message.correlation(inputMemory, offset) == 0
                && (type == MessageType.REPLY
                        || type == MessageType.FAILED
                                && FailureNotice.code(inputMemory, offset) == FailureCode.UNKNOWN_TYPE);
    }

    private int sendSchema() throws IOException {
        int written = schema.hasRemaining() ? wire.write(schema) : 0;
        wire.awaitWritable(schema.hasRemaining());
        return written;
    }

    /** The answer to a command that was sent again may be an older output, which takes nothing back. */
    private void onOutput(int offset) {
        long sequence = Message.sequence(inputMemory, offset);
        int index = Message.index(inputMemory, offset);
        if (index > 0 && (sequence > lastSequence || sequence == lastSequence && index > lastIndex)) {
            lastSequence = sequence;
            lastIndex = index;
            advanced = true;
        }
        if (!ready && following > 0) {
            following--;
            readyWhenCaughtUp();
        }
    }

    private void onEvent(int offset, int length) {
        onOutput(offset);
        handler.onEvent(
                Message.sequence(inputMemory, offset),
                inputMemory,
                offset + Message.HEADER_BYTES,
                length - Message.HEADER_BYTES);
    }

    /** What a handler throws must not keep the link from counting what it has got. */
    private void onReply(int offset, int length) {
        try {
            completions.reply(inputMemory, offset, length);
        } finally {
            onOutput(offset);
        }
    }

    private void onSubscription(int offset) {
        if (Message.type(inputMemory, offset) == MessageType.SUBSCRIBED) {
            if (Message.correlation(inputMemory, offset) == 0) {
                feeds.onRenewed(inputMemory, offset);
                return;
            }
            if (completions.awaits(inputMemory, offset)) {
                feeds.onSubscribed(inputMemory, offset);
            }
        }
        completions.confirm(inputMemory, offset);
    }

    private void onBusy(int offset) {
        if (Message.correlation(inputMemory, offset) != 0) {
            completions.busy(inputMemory, offset);
            return;
        }
        nextAttemptNanos = machine.nanoTime() + Busy.retryAfterNanos(inputMemory, offset);
        lastError = Busy.reason(inputMemory, offset).text();
        close();
    }

    private void onFailed(int offset) {
        FailureCode code = FailureNotice.code(inputMemory, offset);
        ServiceException why = new ServiceException(code, FailureNotice.text(inputMemory, offset));
        try {
            completions.fail(inputMemory, offset, why);
        } finally {
            onOutput(offset);
        }
        if (code == FailureCode.UNKNOWN_SESSION) {
            end(why);
        }
    }

    private void onError(int offset) {
        FailureCode code = FailureNotice.code(inputMemory, offset);
        String text = FailureNotice.text(inputMemory, offset);
        if (code == FailureCode.CLOSING
                || code == FailureCode.TOO_MANY_CONNECTIONS
                || code == FailureCode.TOO_MANY_SESSIONS
                || code == FailureCode.SLOW_CONSUMER) {
            disconnected(text);
        } else {
            end(new ServiceException(code, service + " says: " + text));
        }
    }

    private int send() throws IOException {
        int sent = 0;
        while (cursor < pieceEnd || nextPiece()) {
            long offset = outstanding.offset(cursor);
            ringBytes.limit((int) (offset + (pieceEnd - cursor))).position((int) offset);
            int written = wire.write(ringBytes);
            cursor += written;
            sentTo = Math.max(sentTo, cursor);
            sent += written;
            if (cursor < pieceEnd) {
                break;
            }
        }
        wire.awaitWritable(cursor < pieceEnd);
        return sent;
    }

    private boolean nextPiece() {
        long end = outstanding.newest();
        cursor = outstanding.firstUnanswered(Math.max(cursor, outstanding.oldest()), end);
        pieceStart = cursor;
        pieceEnd = outstanding.endOfUnanswered(cursor, end, machine.strikes(FaultPoint.SHORT_PIECE) ? 1 : WRITE_BYTES);
        return pieceEnd > cursor;
    }

    private void end(ServiceException why) {
        if (terminal == null) {
            terminal = why;
            close();
            firstWelcome.completeExceptionally(why);
        }
    }
}
