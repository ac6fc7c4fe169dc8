package io.slipstream.service.logic;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import org.jspecify.annotations.Nullable;

/** A client as the logic knows it, whether it is connected or not. */
final class Session {
    final long id;
    final long key;
    final String principal;
    final ReplayWindow window = new ReplayWindow();
    final Outbox outbox;

    /** Sequence of the last log entry that came from this session. */
    long lastActive;

    /** Sequence of the command that the last output to this session belongs to, and the index of that output. */
    long outputSequence;

    int outputIndex;

    /** The gateway's number of the connection that holds this session, or 0. */
    long connection;

    /** The client's own number of the last connection that has got this session; 0 if it has given none. */
    long number;

    /** How often it was resumed, modulo {@link Message#RESUMPTIONS}; 0 in a log where that does not count. */
    int resumptions;

    /* Neighbours among the sessions that nobody is connected to; see Sessions. */
    @Nullable
    Session older;

    @Nullable
    Session newer;

    Session(long id, long key, String principal, int outboxBytes) {
        this.id = id;
        this.key = key;
        this.principal = principal;
        this.outbox = new Outbox(outboxBytes);
    }

    /** Returns whether it ends with its connection, which the gateway's number of that says. */
    boolean isEphemeral() {
        return (connection & 1) != 0;
    }

    /** Returns the index of the next output of the command with that sequence. */
    int nextIndex(long sequence) {
        if (outputSequence != sequence) {
            outputSequence = sequence;
            outputIndex = 0;
        }
        return ++outputIndex;
    }

    void save(StateOutput to, boolean withKept) {
        to.writeLong(id);
        to.writeLong(key);
        to.writeString(principal);
        to.writeLong(lastActive);
        to.writeLong(outputSequence);
        to.writeInt(outputIndex);
        to.writeLong(connection);
        to.writeLong(number);
        to.writeInt(resumptions);
        window.save(to);
        if (withKept) {
            outbox.save(to);
        }
    }

    /** Reads it; one that was written before connections were told apart has neither number nor resumptions. */
    static Session load(StateInput from, int outboxBytes, boolean tellsConnections) {
        Session session = new Session(from.readLong(), from.readLong(), from.readString(), outboxBytes);
        session.lastActive = from.readLong();
        session.outputSequence = from.readLong();
        session.outputIndex = from.readInt();
        session.connection = from.readLong();
        if (tellsConnections) {
            session.number = from.readLong();
            session.resumptions = from.readInt();
        }
        session.window.load(from);
        session.outbox.load(from);
        return session;
    }
}
