package io.slipstream.service.logic;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;

import java.lang.foreign.MemorySegment;

/** Applies what the journal has made durable, in order, on one thread; and, at start, what the journal holds. */
public final class LogicStage implements Duty {
    private static final int BATCH = 64;
    private static final long SLICE_NANOS = 500_000;

    private final FramePoller poller;
    private final StateMachine machine;
    private final Sessions sessions;
    private final Outputs outputs;
    private final int maxFrameLength;
    private final FrameHandler onFrame = this::onFrame;
    private final FrameCommand command = new FrameCommand();
    private final Sequence processed = new Sequence();
    private long fromGateway;
    private long lastSequence;
    private long lastTimeNanos;
    private long replayed;
    private long recoveryNanos;

    /**
     * Creates the stage.
     *
     * @param poller         takes from the input ring, behind the journal
     * @param output         carries the outputs to the gateway
     * @param whileFull      run again and again while the output ring is full
     * @param machine        the business logic
     * @param outboxBytes    how many bytes of outputs are kept for each session
     * @param maxFrameLength the longest frame that the gateway takes
     */
    public LogicStage(FramePoller poller, FrameRing output, Runnable whileFull, StateMachine machine, int outboxBytes,
                      int maxFrameLength) {
        this.poller = poller;
        this.machine = machine;
        this.sessions = new Sessions(outboxBytes);
        this.outputs = new Outputs(output, whileFull, sessions);
        this.maxFrameLength = maxFrameLength;
    }

    /** Applies a frame of the log while the service starts; nothing is sent. */
    public void replay(MemorySegment memory, long offset) {
        apply(memory, offset);
        replayed++;
    }

    /** Ends the replay: from now on outputs are sent. */
    public void goLive(long tookNanos) {
        recoveryNanos = tookNanos;
        outputs.goLive();
    }

    /** Returns how many sessions are remembered, as the log says. */
    public int sessionLimit() {
        return sessions.limit();
    }

    /** Returns how far the log was applied and what it has led to; on the stage's thread, or while it does not run. */
    public Status status() {
        return new Status(lastSequence, machine.stateHash(), sessions.count(), replayed, recoveryNanos);
    }

    /** Returns how many messages of the gateway were processed. */
    public Sequence processed() {
        return processed;
    }

    /** Returns the time of the last log entry that was applied. */
    public long lastTimeNanos() {
        return lastTimeNanos;
    }

    /** Applies all that is durable, but for no longer than a gateway on the same thread can well be kept waiting. */
    @Override
    public int work() {
        long startNanos = System.nanoTime();
        int count = 0;
        int polled;
        do {
            polled = poller.poll(onFrame, BATCH);
            count += polled;
        } while (polled == BATCH && System.nanoTime() - startNanos < SLICE_NANOS);
        if (processed.getPlain() != fromGateway) {
            processed.setRelease(fromGateway);
        }
        return count;
    }

    private void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        apply(memory, offset);
        if (Message.type(memory, offset) != MessageType.SETTINGS) {
            fromGateway++;
        }
    }

    private void apply(MemorySegment memory, long offset) {
        switch (Message.type(memory, offset)) {
            case MessageType.COMMAND -> command(memory, offset);
            case MessageType.HELLO -> hello(memory, offset);
            case MessageType.BYE -> bye(memory, offset);
            case MessageType.QUERY -> query(memory, offset);
            case MessageType.STATUS -> status(memory, offset);
            case MessageType.SETTINGS -> {
                logged(memory, offset);
                sessions.limit(Message.payloadInt(memory, offset, 0));
            }
            default -> throw new IllegalStateException(
                    "a message of type " + Message.type(memory, offset) + " passed the gateway");
        }
    }

    private void command(MemorySegment memory, long offset) {
        logged(memory, offset);
        Session session = sessions.get(Message.session(memory, offset));
        outputs.begin(memory, offset, session, false);
        if (session == null) {
            failUnknownSession();
            return;
        }
        session.lastActive = lastSequence;
        long correlation = Message.correlation(memory, offset);
        switch (session.window.lookUp(correlation)) {
            case NEW -> {
                session.window.mark(correlation);
                applyNew(memory, offset);
            }
            case APPLIED -> {
                if (!outputs.repeatAnswer(session, correlation)) {
                    outputs.fail(FailureCode.ALREADY_APPLIED,
                            "command " + correlation + " was applied; its reply is no longer kept", false);
                }
            }
            case TOO_OLD -> outputs.fail(FailureCode.TOO_OLD, "command " + correlation + " is more than "
                    + ReplayWindow.SIZE + " behind the newest of its session", false);
        }
    }

    private void applyNew(MemorySegment memory, long offset) {
        try {
            machine.onCommand(command.wrap(memory, offset), outputs);
            if (!outputs.answered()) {
                outputs.reply(memory, offset, 0);
            }
        } catch (Exception e) {
            failed(e, true);
        }
    }

    private void query(MemorySegment memory, long offset) {
        outputs.begin(memory, offset, null, true);
        if (sessions.get(Message.session(memory, offset)) == null) {
            failUnknownSession();
            return;
        }
        try {
            machine.onQuery(command.wrap(memory, offset), outputs);
            if (!outputs.answered()) {
                outputs.reply(memory, offset, 0);
            }
        } catch (Exception e) {
            failed(e, false);
        }
    }

    private void hello(MemorySegment memory, long offset) {
        logged(memory, offset);
        long key = Hello.key(memory, offset);
        outputs.begin(memory, offset, null, false);
        Session session = sessions.withKey(key);
        if (session == null) {
            try {
                session = open(key);
            } catch (Exception e) {
                outputs.refuseSession(FailureCode.LOGIC_FAILED, text(e));
                return;
            }
        }
        session.lastActive = lastSequence;
        outputs.welcome(session, Hello.lastSequence(memory, offset), Hello.lastIndex(memory, offset), maxFrameLength);
    }

    private Session open(long key) {
        Session oldest;
        while ((oldest = sessions.toEvict()) != null) {
            evict(oldest);
        }
        Session session = sessions.open(key, lastSequence);
        try {
            machine.onSessionOpen(session.id, lastTimeNanos);
        } catch (Exception e) {
            sessions.close(session);
            throw e;
        }
        return session;
    }

    private void bye(MemorySegment memory, long offset) {
        logged(memory, offset);
        Session session = sessions.get(Message.session(memory, offset));
        outputs.begin(memory, offset, null, false);
        if (session == null) {
            failUnknownSession();
            return;
        }
        try {
            close(session);
            outputs.reply(memory, offset, 0);
        } catch (Exception e) {
            failed(e, false);
        }
    }

    private void evict(Session session) {
        try {
            close(session);
        } catch (Exception e) {
            outputs.report(e);
        }
    }

    private void close(Session session) {
        sessions.close(session);
        machine.onSessionClose(session.id, lastTimeNanos);
    }

    private void status(MemorySegment memory, long offset) {
        outputs.begin(memory, offset, null, true);
        try {
            outputs.status(status());
        } catch (Exception e) {
            failed(e, false);
        }
    }

    private void logged(MemorySegment memory, long offset) {
        lastSequence = Message.sequence(memory, offset);
        lastTimeNanos = Message.timeNanos(memory, offset);
    }

    private void failUnknownSession() {
        outputs.fail(FailureCode.UNKNOWN_SESSION,
                "the service no longer knows this session; open a new one", false);
    }

    private void failed(Exception e, boolean keep) {
        if (outputs.answered()) {
            outputs.report(e);
        } else {
            outputs.fail(FailureCode.LOGIC_FAILED, text(e), keep);
        }
    }

    private static String text(Exception e) {
        return e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    }
}
