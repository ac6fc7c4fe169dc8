package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.machine.Output;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.protocol.Subscription;
import io.slipstream.service.protocol.Welcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Writes outputs to the output ring, and into the outbox of the session they are for, unless that ends with its
 * connection: then nobody comes back for an answer.
 *
 * <p>A reply is written where it is read. Every other output is composed in a scratch frame and copied from there;
 * during replay only the outboxes get it.
 */
final class Outputs implements Output {
    private static final int FIRST_SCRATCH_BYTES = 4096;
    private static final int PIECE_BYTES = (1 << 16) - Message.HEADER_BYTES;

    private FrameRing ring;
    private Runnable whileFull;
    private final Sessions sessions;
    private final TimerQueue timers;
    private final Feeds feeds;
    private final LogRandom random;

    /* Native as the rings are: where accessors meet both kinds of segments, no call of them is inlined. */
    private MemorySegment scratch = Arena.ofAuto().allocate(FIRST_SCRATCH_BYTES, Long.BYTES);
    private boolean live;
    private boolean answering = true;

    private long sequence;
    private long timeNanos;
    private long correlation;
    private long asking;
    private @Nullable Session askingSession;
    private Mode mode = Mode.COMMAND;
    private boolean answered;
    private long topic;
    private int version;

    /** What the state machine is asked for. */
    enum Mode {
        COMMAND,
        QUERY,
        SUBSCRIBE
    }

    Outputs(FrameRing ring, Runnable whileFull, Sessions sessions, TimerQueue timers, Feeds feeds, LogRandom random) {
        this.ring = ring;
        this.whileFull = whileFull;
        this.sessions = sessions;
        this.timers = timers;
        this.feeds = feeds;
        this.random = random;
    }

    /** From now on outputs go to another ring; none has gone to the one before. */
    void sendTo(FrameRing newRing, Runnable newWhileFull) {
        ring = newRing;
        whileFull = newWhileFull;
    }

    /** From now on outputs go to the ring as well. */
    void goLive() {
        live = true;
    }

    /** Sets whether what is for the client of the present entry is sent, or kept alone. */
    void answers(boolean sent) {
        answering = sent;
    }

    /** Sets the time of the last log entry: what is not logged has none of its own. */
    void lastEntryAt(long nanos) {
        timeNanos = nanos;
    }

    /** Sets what the following outputs belong to; {@code session} may be unknown. */
    void begin(MemorySegment memory, long offset, @Nullable Session session, Mode asked) {
        sequence = Message.sequence(memory, offset);
        correlation = Message.correlation(memory, offset);
        asking = Message.session(memory, offset);
        askingSession = session;
        mode = asked;
        answered = false;
    }

    /** From here on the machine acts by itself, because of a timer or a session: there is nobody to answer. */
    void beginUnasked() {
        correlation = 0;
        asking = 0;
        askingSession = null;
        mode = Mode.COMMAND;
        answered = true;
    }

    long sequence() {
        return sequence;
    }

    long asking() {
        return asking;
    }

    boolean answered() {
        return answered;
    }

    @Override
    public void reply(MemorySegment memory, long offset, int length) {
        requireUnanswered();
        Session by = mode == Mode.COMMAND ? askingSession : null;
        if (length > MAX_LENGTH) {
            requireLength(length, longest(asking));
            Objects.checkFromIndexSize(offset, length, memory.byteSize());
            answered = true;
            int index = by == null ? 0 : by.nextIndex(sequence);
            if (answering) {
                publishInPieces(MessageType.REPLY, asking, correlation, index, memory, offset, length);
            }
            return;
        }
        if (live && answering) {
            replyInRing(memory, offset, length, by);
            return;
        }
        header(MessageType.REPLY, length, asking, correlation);
        MemorySegment.copy(memory, offset, scratch, Message.HEADER_BYTES, length);
        answered = true;
        sendAnswer(by);
    }

    /** The same, written once where it is read. */
    private void replyInRing(MemorySegment memory, long offset, int length, @Nullable Session by) {
        requireLength(length);
        long position = claim(Message.HEADER_BYTES + length - Frame.HEADER_BYTES);
        boolean written = false;
        try {
            MemorySegment out = ring.memory();
            long at = ring.offset(position);
            Message.headerWithoutLength(out, at, MessageType.REPLY, asking, correlation);
            Message.sequence(out, at, sequence);
            Message.timeNanos(out, at, timeNanos);
            MemorySegment.copy(memory, offset, out, at + Message.HEADER_BYTES, length);
            answered = true;
            keepAnswer(out, at, Message.HEADER_BYTES + length, by);
            written = true;
        } finally {
            if (written) {
                ring.publish(position);
            } else {
                ring.abort(position);
            }
        }
    }

    /** Sends what is too long for a frame, and for an outbox: nobody comes back for it. */
    private void publishInPieces(
            short type, long session, long toCorrelation, int index, MemorySegment memory, long offset, int length) {
        for (int done = 0; live && done < length; done += PIECE_BYTES) {
            int bytes = Math.min(length - done, PIECE_BYTES);
            long position = claim(Message.HEADER_BYTES + bytes - Frame.HEADER_BYTES);
            MemorySegment out = ring.memory();
            long at = ring.offset(position);
            Message.headerWithoutLength(out, at, type, session, toCorrelation);
            Message.flags(out, at, done + bytes < length ? Message.MORE : 0);
            Message.index(out, at, index);
            Message.sequence(out, at, sequence);
            Message.timeNanos(out, at, timeNanos);
            MemorySegment.copy(memory, offset + done, out, at + Message.HEADER_BYTES, bytes);
            ring.publish(position);
        }
    }

    @Override
    public int longest(long session) {
        if (session < 0) {
            return MAX_LENGTH_UNKEPT;
        }
        Session known = sessions.get(session);
        return known != null && known.isEphemeral() ? MAX_LENGTH_UNKEPT : MAX_LENGTH;
    }

    @Override
    public void reject(String reason) {
        requireUnanswered();
        fail(FailureCode.REJECTED, reason, mode == Mode.COMMAND);
    }

    @Override
    public void event(long session, MemorySegment memory, long offset, int length) {
        requireCommand("sends no events");
        Session addressee = sessions.get(session);
        if (addressee != null && length > MAX_LENGTH) {
            requireLength(length, longest(session));
            Objects.checkFromIndexSize(offset, length, memory.byteSize());
            publishInPieces(MessageType.EVENT, session, 0, addressee.nextIndex(sequence), memory, offset, length);
        } else if (addressee != null) {
            header(MessageType.EVENT, length, session, 0);
            MemorySegment.copy(memory, offset, scratch, Message.HEADER_BYTES, length);
            send(addressee);
        }
    }

    @Override
    public void publish(long toTopic, MemorySegment memory, long offset, int length) {
        if (mode == Mode.QUERY) {
            throw new IllegalStateException("a query publishes nothing");
        }
        if (mode == Mode.SUBSCRIBE) {
            publishSnapshot(toTopic, memory, offset, length);
            return;
        }
        header(MessageType.ITEM, length, 0, toTopic);
        MemorySegment.copy(memory, offset, scratch, Message.HEADER_BYTES, length);
        Feeds.Feed feed = feeds.publish(toTopic);
        Message.index(scratch, 0, feed.nextIndex(sequence));
        feed.kept.add(scratch, 0);
        send(null);
    }

    private void publishSnapshot(long toTopic, MemorySegment memory, long offset, int length) {
        if (toTopic != topic) {
            throw new IllegalArgumentException("this subscription is to topic " + topic + ", not " + toTopic);
        }
        header(MessageType.ITEM, length, asking, topic);
        Message.flags(scratch, 0, Message.SNAPSHOT);
        MemorySegment.copy(memory, offset, scratch, Message.HEADER_BYTES, length);
        send(null);
    }

    @Override
    public void schedule(long timer, long atNanos) {
        requireCommand("sets no timers");
        timers.set(timer, atNanos);
    }

    @Override
    public boolean cancel(long timer) {
        requireCommand("cancels no timers");
        return timers.cancel(timer);
    }

    @Override
    public RandomGenerator random() {
        requireCommand("draws no random numbers");
        return random;
    }

    @Override
    public long timeNanos() {
        return timeNanos;
    }

    @Override
    public int version() {
        return version;
    }

    /** Sets the version that the log has come to. */
    void version(int ofLog) {
        version = ofLog;
    }

    private void requireCommand(String what) {
        if (mode != Mode.COMMAND) {
            throw new IllegalStateException((mode == Mode.QUERY ? "a query " : "a subscription ") + what
                    + ": it is not in the log, and replay would not do it again");
        }
    }

    private void requireUnanswered() {
        if (mode == Mode.SUBSCRIBE) {
            throw new IllegalStateException("a subscription is answered by what is published");
        }
        if (answered) {
            throw new IllegalStateException(
                    asking == 0 ? "there is nobody to answer" : "the command at " + sequence + " was answered already");
        }
    }

    /**
     * Sends a subscriber what it has missed; returns false if that is no longer kept. A client that names the place 0
     * has seen nothing; one that a gateway subscribes anew has its snapshot, of a topic that had no item then.
     */
    boolean resumeFeed(long ofTopic, long seenSequence, int seenIndex) {
        Feeds.Feed feed = feeds.find(ofTopic);
        Outbox kept = feed.kept;
        boolean hasSeenNothing = seenSequence == 0 && correlation != Message.UNASKED;
        if (hasSeenNothing || feed.endsBefore(seenSequence, seenIndex) || kept.missedAfter(seenSequence, seenIndex)) {
            return false;
        }
        for (long position = kept.firstAfter(seenSequence, seenIndex);
                position < kept.end();
                position = kept.next(position)) {
            requireScratch(kept.length(position));
            kept.copy(position, 0, scratch, 0);
            Message.session(scratch, 0, asking);
            publishScratch();
        }
        return true;
    }

    /** From here on what is published goes to the one that subscribes, as the snapshot of this topic. */
    void beginSnapshot(long ofTopic) {
        topic = ofTopic;
    }

    /** Tells the subscriber that it gets all items of the topic from here on, or none. */
    void subscription(short type, long toTopic, int how) {
        Feeds.Feed feed = feeds.find(toTopic);
        answered = true;
        header(type, Subscription.BYTES, asking, correlation);
        Subscription.encodePayload(scratch, 0, toTopic, feed.lastSequence(), feed.lastIndex(), how);
        send(null);
    }

    /**
     * Answers the present command with a failure. {@code keep} says whether it is kept for a client that comes back.
     */
    void fail(FailureCode code, String text, boolean keep) {
        failure(MessageType.FAILED, code, text);
        sendAnswer(keep ? askingSession : null);
    }

    /** Answers a HELLO, whose correlation is the gateway's connection, with an error that ends the connection. */
    void refuseSession(FailureCode code, String text) {
        failure(MessageType.ERROR, code, text);
        sendAnswer(null);
    }

    /** Answers a HELLO, whose correlation is the gateway's connection, and sends what the client has not seen yet. */
    void welcome(Session session, long seenSequence, int seenIndex, int maxFrameLength) {
        answered = true;
        Outbox outbox = session.outbox;
        long first = outbox.firstAfter(seenSequence, seenIndex);
        int following = 0;
        for (long position = first; position < outbox.end(); position = outbox.next(position)) {
            following++;
        }
        header(MessageType.WELCOME, Welcome.BYTES, session.id, correlation);
        boolean missed = outbox.missedAfter(seenSequence, seenIndex) || !outbox.mayBeSeen(seenSequence, seenIndex);
        Message.index(scratch, 0, session.resumptions);
        Welcome.encodePayload(scratch, 0, following, missed, ReplayWindow.SIZE, maxFrameLength);
        sendAnswer(null);
        for (long position = first; position < outbox.end(); position = outbox.next(position)) {
            publishKept(outbox, position);
        }
    }

    /** Sends an answer that is kept in the outbox once more; returns whether it was there. */
    boolean repeatAnswer(Session session, long toCorrelation) {
        Outbox outbox = session.outbox;
        long position = outbox.answerTo(toCorrelation);
        if (position == outbox.end()) {
            return false;
        }
        publishKept(outbox, position);
        return true;
    }

    /** Answers a request for the service's status. */
    void status(Status status) {
        answered = true;
        header(MessageType.REPLY, Status.BYTES, asking, correlation);
        status.encodePayload(scratch, 0);
        send(null);
    }

    /** Answers a request that cannot be taken at present. */
    void busy(Busy.Reason reason, long retryAfterNanos) {
        answered = true;
        header(MessageType.BUSY, Busy.BYTES, asking, correlation);
        Busy.encodePayload(scratch, 0, reason, retryAfterNanos, 0, 0);
        send(null);
    }

    /** Tells the gateway that the log had no room for what it had to say of a session. */
    void unlogged(short type) {
        header(MessageType.UNLOGGED, 0, asking, correlation);
        Message.index(scratch, 0, type);
        send(null);
    }

    private void failure(short type, FailureCode code, String text) {
        answered = true;
        byte[] bytes = FailureNotice.text(text);
        header(type, FailureNotice.HEADER_BYTES + bytes.length, asking, correlation);
        FailureNotice.encodePayload(scratch, 0, code, bytes);
    }

    private void header(short type, int payloadLength, long session, long toCorrelation) {
        requireLength(payloadLength);
        requireScratch(Message.HEADER_BYTES + payloadLength);
        Message.header(scratch, 0, type, payloadLength, session, toCorrelation);
        Message.sequence(scratch, 0, sequence);
        Message.timeNanos(scratch, 0, timeNanos);
    }

    private void requireScratch(int bytes) {
        if (bytes > scratch.byteSize()) {
            scratch = Arena.ofAuto().allocate(2 * Long.highestOneBit(bytes), Long.BYTES);
        }
    }

    private static void requireLength(int payloadLength) {
        requireLength(payloadLength, MAX_LENGTH);
    }

    private static void requireLength(int payloadLength, int longest) {
        if (payloadLength < 0 || payloadLength > longest) {
            throw new IllegalArgumentException("an output has from 0 to " + longest + " bytes, not " + payloadLength);
        }
    }

    /** Events are kept for every session: what was sent before its WELCOME follows that. */
    private void send(@Nullable Session keptBy) {
        if (keptBy != null) {
            Message.index(scratch, 0, keptBy.nextIndex(sequence));
            keptBy.outbox.add(scratch, 0);
        }
        publishScratch();
    }

    private void sendAnswer(@Nullable Session by) {
        keepAnswer(scratch, 0, Frame.length(scratch, 0), by);
        if (answering) {
            publishScratch();
        }
    }

    /** Numbers an answer, and keeps it for a client that may come back; nobody does whose session ends with it. */
    private void keepAnswer(MemorySegment memory, long offset, int length, @Nullable Session by) {
        if (by != null) {
            Message.index(memory, offset, by.nextIndex(sequence));
            if (!by.isEphemeral()) {
                by.outbox.add(memory, offset, length);
            }
        }
    }

    private void publishScratch() {
        if (!live) {
            return;
        }
        int messageLength = Frame.length(scratch, 0) - Frame.HEADER_BYTES;
        long position = claim(messageLength);
        MemorySegment.copy(
                scratch, Frame.HEADER_BYTES, ring.memory(), ring.offset(position) + Frame.HEADER_BYTES, messageLength);
        ring.publish(position);
    }

    private void publishKept(Outbox outbox, long position) {
        if (live && answering) {
            long claimed = claim(outbox.length(position) - Frame.HEADER_BYTES);
            outbox.copy(position, Frame.HEADER_BYTES, ring.memory(), ring.offset(claimed) + Frame.HEADER_BYTES);
            ring.publish(claimed);
        }
    }

    private long claim(int messageLength) {
        long position;
        while ((position = ring.tryClaim(messageLength)) == FrameRing.NO_ROOM) {
            try {
                whileFull.run();
            } catch (RuntimeException e) {
                // Not the state machine's, although it comes out of its call.
                throw new OutputEndedError("the outputs of the logic go nowhere: " + e, e);
            }
        }
        return position;
    }
}
