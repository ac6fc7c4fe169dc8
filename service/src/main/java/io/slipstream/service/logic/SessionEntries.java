package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Entries that open, resume, leave and end sessions. */
final class SessionEntries {
    private final StateMachine machine;
    private final Sessions sessions;
    private final Outputs outputs;
    private final Failures failures;
    private final int maxFrameLength;

    SessionEntries(StateMachine machine, Sessions sessions, Outputs outputs, Failures failures, int maxFrameLength) {
        this.machine = machine;
        this.sessions = sessions;
        this.outputs = outputs;
        this.failures = failures;
        this.maxFrameLength = maxFrameLength;
    }

    /** Opens or resumes the session of that key; the correlation is the gateway's number of the connection. */
    void hello(MemorySegment memory, long offset) {
        outputs.begin(memory, offset, null, Outputs.Mode.COMMAND);
        String principal = principal(memory, offset);
        long connection = Message.correlation(memory, offset);
        long number = Hello.number(memory, offset);
        Session session = sessions.withKey(Hello.key(memory, offset));
        if (session == null) {
            session = open(memory, offset, principal);
            if (session == null) {
                return;
            }
        } else if (!session.principal.equals(principal)) {
            outputs.refuseSession(FailureCode.FORBIDDEN, "this session belongs to somebody else");
            return;
        } else if (sessions.isEarlier(session, number)) {
            outputs.refuseSession(FailureCode.SUPERSEDED, "a later connection has resumed this session");
            return;
        } else {
            sessions.attach(session, connection, number);
        }
        session.lastActive = Message.sequence(memory, offset);
        outputs.welcome(session, Hello.lastSequence(memory, offset), Hello.lastIndex(memory, offset), maxFrameLength);
    }

    /** Ends a session, because its client says so or because its connection, with which it ends, has ended. */
    void bye(MemorySegment memory, long offset) {
        Session session = sessions.get(Message.session(memory, offset));
        if (session != null && sessions.isStale(session, memory, offset)) {
            return;
        }
        outputs.begin(memory, offset, null, Outputs.Mode.COMMAND);
        if (session == null) {
            outputs.fail(FailureCode.UNKNOWN_SESSION, "the service no longer knows this session", false);
            return;
        }
        outputs.reply(memory, offset, 0);
        close(session, memory, offset);
    }

    /** As {@link #bye}; nobody hears of it. */
    void skipBye(MemorySegment memory, long offset) {
        Session session = sessions.get(Message.session(memory, offset));
        if (session != null && !sessions.isStale(session, memory, offset)) {
            sessions.close(session);
        }
    }

    void detach(MemorySegment memory, long offset) {
        Session session = sessions.get(Message.session(memory, offset));
        if (session != null) {
            sessions.detach(session, Message.correlation(memory, offset));
        }
    }

    /** Ends the sessions that end with their connection, since all connections have ended. */
    void endEphemeral(MemorySegment memory, long offset) {
        sessions.attached(Hello::endsWithConnection).forEach(session -> close(session, memory, offset));
    }

    /** As {@link #endEphemeral}; the machine does not hear of it. */
    void forgetEphemeral() {
        sessions.attached(Hello::endsWithConnection).forEach(sessions::close);
    }

    private @Nullable Session open(MemorySegment memory, long offset, String principal) {
        while (!sessions.hasRoom()) {
            Session oldest = sessions.oldestDetached();
            if (oldest == null) {
                outputs.refuseSession(
                        FailureCode.TOO_MANY_SESSIONS,
                        "the service remembers at most " + sessions.limit()
                                + " sessions, and each of them has a client; come back later");
                return null;
            }
            close(oldest, memory, offset);
        }
        outputs.begin(memory, offset, null, Outputs.Mode.COMMAND);
        Session session = sessions.open(
                Hello.key(memory, offset),
                Message.sequence(memory, offset),
                Message.correlation(memory, offset),
                Hello.number(memory, offset),
                principal);
        try {
            machine.onSessionOpen(session.id, principal, outputs);
            return session;
        } catch (Exception e) {
            failures.note(Message.sequence(memory, offset), session.id, e);
            sessions.close(session);
            outputs.refuseSession(FailureCode.LOGIC_FAILED, failures.text(e, Message.sequence(memory, offset)));
            return null;
        }
    }

    private void close(Session session, MemorySegment memory, long offset) {
        sessions.close(session);
        outputs.begin(memory, offset, null, Outputs.Mode.COMMAND);
        outputs.beginUnasked();
        try {
            machine.onSessionClose(session.id, outputs);
        } catch (Exception e) {
            failures.note(Message.sequence(memory, offset), session.id, e);
        }
    }

    private static String principal(MemorySegment memory, long offset) {
        int before = Message.HEADER_BYTES + Hello.entryBytes(Hello.number(memory, offset));
        int length = Frame.length(memory, offset) - before;
        if (length <= 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + before, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
