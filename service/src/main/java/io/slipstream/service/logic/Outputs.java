package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.machine.Output;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.protocol.Welcome;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Writes outputs to the output ring, and into the outbox of the session they are for.
 *
 * <p>Every output is composed in place in a scratch frame and copied from there; during replay only the outboxes get
 * it.
 */
final class Outputs implements Output {
    private final FrameRing ring;
    private final Runnable whileFull;
    private final Sessions sessions;
    private final MemorySegment scratch;
    private boolean live;

    private long sequence;
    private long timeNanos;
    private long correlation;
    private long asking;
    private @Nullable Session askingSession;
    private boolean query;
    private boolean answered;

    Outputs(FrameRing ring, Runnable whileFull, Sessions sessions) {
        this.ring = ring;
        this.whileFull = whileFull;
        this.sessions = sessions;
        this.scratch = MemorySegment.ofArray(new long[Message.MAX_OUTPUT_BYTES / Long.BYTES]);
    }

    /** From now on outputs go to the ring as well. */
    void goLive() {
        live = true;
    }

    /** Sets what the following outputs belong to; {@code session} may be unknown. */
    void begin(MemorySegment memory, long offset, @Nullable Session session, boolean isQuery) {
        sequence = Message.sequence(memory, offset);
        timeNanos = Message.timeNanos(memory, offset);
        correlation = Message.correlation(memory, offset);
        asking = Message.session(memory, offset);
        askingSession = session;
        query = isQuery;
        answered = false;
    }

    boolean answered() {
        return answered;
    }

    @Override
    public void reply(MemorySegment memory, long offset, int length) {
        if (answered) {
            throw new IllegalStateException("the command at " + sequence + " was answered already");
        }
        header(MessageType.REPLY, length, asking, correlation);
        MemorySegment.copy(memory, offset, scratch, Message.HEADER_BYTES, length);
        answered = true;
        send(query ? null : askingSession);
    }

    @Override
    public void event(long session, MemorySegment memory, long offset, int length) {
        if (query) {
            throw new IllegalStateException("a query sends no events");
        }
        Session addressee = sessions.get(session);
        if (addressee != null) {
            header(MessageType.EVENT, length, session, 0);
            MemorySegment.copy(memory, offset, scratch, Message.HEADER_BYTES, length);
            send(addressee);
        }
    }

    /**
     * Answers the present command with a failure. {@code keep} says whether it is kept for a client that comes back.
     */
    void fail(FailureCode code, String text, boolean keep) {
        failure(MessageType.FAILED, code, text);
        send(keep ? askingSession : null);
    }

    /** Answers a HELLO, whose correlation is the gateway's connection, with an error that ends the connection. */
    void refuseSession(FailureCode code, String text) {
        failure(MessageType.ERROR, code, text);
        send(null);
    }

    /** What the machine throws when no client waits for its outcome goes where uncaught exceptions go. */
    void report(Exception e) {
        if (live) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
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
        Welcome.encodePayload(scratch, 0, following, outbox.missedAfter(seenSequence, seenIndex), ReplayWindow.SIZE,
                maxFrameLength);
        send(null);
        for (long position = first; position < outbox.end(); position = outbox.next(position)) {
            publish(outbox.memory(), outbox.offset(position));
        }
    }

    /** Sends an answer that is kept in the outbox once more; returns whether it was there. */
    boolean repeatAnswer(Session session, long toCorrelation) {
        Outbox outbox = session.outbox;
        long position = outbox.answerTo(toCorrelation);
        if (position == outbox.end()) {
            return false;
        }
        publish(outbox.memory(), outbox.offset(position));
        return true;
    }

    /** Answers a request for the service's status. */
    void status(Status status) {
        answered = true;
        header(MessageType.REPLY, Status.BYTES, asking, correlation);
        status.encodePayload(scratch, 0);
        send(null);
    }

    private void failure(short type, FailureCode code, String text) {
        answered = true;
        byte[] bytes = FailureNotice.text(text);
        header(type, FailureNotice.HEADER_BYTES + bytes.length, asking, correlation);
        FailureNotice.encodePayload(scratch, 0, code, bytes);
    }

    private void header(short type, int payloadLength, long session, long toCorrelation) {
        if (payloadLength < 0 || payloadLength > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "an output has from 0 to " + MAX_LENGTH + " bytes, not " + payloadLength);
        }
        Message.header(scratch, 0, type, payloadLength, session, toCorrelation);
        Message.sequence(scratch, 0, sequence);
        Message.timeNanos(scratch, 0, timeNanos);
    }

    private void send(@Nullable Session keptBy) {
        if (keptBy != null) {
            Message.index(scratch, 0, keptBy.nextIndex(sequence));
            keptBy.outbox.add(scratch, 0);
        }
        publish(scratch, 0);
    }

    private void publish(MemorySegment memory, long offset) {
        if (!live) {
            return;
        }
        int messageLength = Frame.length(memory, offset) - Frame.HEADER_BYTES;
        long position;
        while ((position = ring.tryClaim(messageLength)) == FrameRing.NO_ROOM) {
            whileFull.run();
        }
        MemorySegment.copy(memory, offset + Frame.HEADER_BYTES, ring.memory(),
                ring.offset(position) + Frame.HEADER_BYTES, messageLength);
        ring.publish(position);
    }
}
