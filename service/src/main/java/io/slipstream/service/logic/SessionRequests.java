package io.slipstream.service.logic;

import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What clients ask for in their sessions: commands, which are entries of the log, and queries and subscriptions, which
 * are not. Each is answered once: by the machine, from what is kept, or with a refusal.
 */
final class SessionRequests {
    private final StateMachine machine;
    private final Sessions sessions;
    private final Outputs outputs;
    private final Failures failures;
    private final FrameRequest request;

    SessionRequests(StateMachine machine, Sessions sessions, Outputs outputs, Failures failures) {
        this.machine = machine;
        this.sessions = sessions;
        this.outputs = outputs;
        this.failures = failures;
        this.request =
                new FrameRequest(session -> sessions.get(session) instanceof Session known ? known.principal : "");
    }

    /** Applies a command, unless that was done before. */
    void command(MemorySegment memory, long offset) {
        Session session = sessions.get(Message.session(memory, offset));
        outputs.begin(memory, offset, session, Outputs.Mode.COMMAND);
        if (session == null) {
            failUnknownSession();
            return;
        }
        if (sessions.isStale(session, memory, offset)) {
            return;
        }
        session.lastActive = Message.sequence(memory, offset);
        long correlation = Message.correlation(memory, offset);
        if (!answerAgain(session, correlation)) {
            session.window.mark(correlation);
            applyNew(memory, offset);
        }
    }

    /** Tells the client of a command that was skipped, and remembers it; the machine does not hear of it. */
    void skipCommand(MemorySegment memory, long offset) {
        Session session = sessions.get(Message.session(memory, offset));
        if (session != null && !sessions.isStale(session, memory, offset)) {
            session.lastActive = Message.sequence(memory, offset);
            session.window.mark(Message.correlation(memory, offset));
            outputs.begin(memory, offset, session, Outputs.Mode.COMMAND);
            outputs.fail(FailureCode.LOGIC_FAILED, "the command was skipped by the operator", true);
        }
    }

    /** Answers what is not in the log because it changes nothing. */
    void ask(MemorySegment memory, long offset) {
        Session session = sessions.get(Message.session(memory, offset));
        if (session != null && sessions.isStale(session, memory, offset)) {
            return;
        }
        short type = Message.type(memory, offset);
        switch (type) {
            case MessageType.QUERY -> query(session, memory, offset);
            case MessageType.SUBSCRIBE -> subscribe(session, memory, offset);
            case MessageType.UNSUBSCRIBE -> {
                outputs.begin(memory, offset, null, Outputs.Mode.SUBSCRIBE);
                outputs.subscription(MessageType.UNSUBSCRIBED, Subscription.topic(memory, offset), 0);
            }
            default -> throw new IllegalStateException("a message of type " + type + " passed the gateway");
        }
    }

    /** Answers a request that is not in the log although it belongs there; see {@link Logic#refuse}. */
    void refuse(MemorySegment memory, long offset, Busy.Reason reason, long retryAfterNanos) {
        Message.sequence(memory, offset, 0);
        Session session = sessions.get(Message.session(memory, offset));
        if (session != null && sessions.isStale(session, memory, offset)) {
            return;
        }
        outputs.begin(memory, offset, session, Outputs.Mode.QUERY);
        short type = Message.type(memory, offset);
        long correlation = Message.correlation(memory, offset);
        switch (type) {
            case MessageType.COMMAND -> {
                if (session == null) {
                    failUnknownSession();
                } else if (!answerAgain(session, correlation)) {
                    outputs.busy(reason, retryAfterNanos);
                }
            }
            case MessageType.HELLO, MessageType.QUERY -> outputs.busy(reason, retryAfterNanos);
            case MessageType.BYE -> {
                if (correlation == 0) {
                    outputs.unlogged(type);
                } else {
                    outputs.busy(reason, retryAfterNanos);
                }
            }
            default -> outputs.unlogged(type);
        }
    }

    /** Answers a command that came before; returns false for a new one. */
    private boolean answerAgain(Session session, long correlation) {
        switch (session.window.lookUp(correlation)) {
            case NEW -> {
                return false;
            }
            case APPLIED -> {
                if (!outputs.repeatAnswer(session, correlation)) {
                    outputs.fail(
                            FailureCode.ALREADY_APPLIED,
                            "command " + correlation + " was applied; its reply is no longer kept",
                            false);
                }
            }
            case TOO_OLD ->
                outputs.fail(
                        FailureCode.TOO_OLD,
                        "command " + correlation + " is more than " + ReplayWindow.SIZE
                                + " behind the newest of its session",
                        false);
        }
        return true;
    }

    private void applyNew(MemorySegment memory, long offset) {
        try {
            machine.onCommand(request.wrap(memory, offset), outputs);
            if (!outputs.answered()) {
                outputs.reply(memory, offset, 0);
            }
        } catch (Exception e) {
            failures.failed(outputs, e, true);
        }
    }

    private void query(@Nullable Session session, MemorySegment memory, long offset) {
        outputs.begin(memory, offset, null, Outputs.Mode.QUERY);
        // A connection that the log has no room for asks without a session.
        if (session == null && Message.session(memory, offset) >= 0) {
            failUnknownSession();
            return;
        }
        try {
            machine.onQuery(request.wrap(memory, offset), outputs);
            if (!outputs.answered()) {
                outputs.reply(memory, offset, 0);
            }
        } catch (Exception e) {
            failures.failed(outputs, e, false);
        }
    }

    private void subscribe(@Nullable Session session, MemorySegment memory, long offset) {
        outputs.begin(memory, offset, null, Outputs.Mode.SUBSCRIBE);
        if (session == null) {
            failUnknownSession();
            return;
        }
        long topic = Subscription.topic(memory, offset);
        if (outputs.resumeFeed(topic, Subscription.sequence(memory, offset), Subscription.index(memory, offset))) {
            outputs.subscription(MessageType.SUBSCRIBED, topic, Subscription.RESUMED);
            return;
        }
        try {
            outputs.beginSnapshot(topic);
            machine.onSubscribe(topic, request.wrap(memory, offset), outputs);
            outputs.subscription(MessageType.SUBSCRIBED, topic, Subscription.SNAPSHOT);
        } catch (Exception e) {
            failures.failed(outputs, e, false);
        }
    }

    private void failUnknownSession() {
        outputs.fail(FailureCode.UNKNOWN_SESSION, "the service no longer knows this session; open a new one", false);
    }
}
