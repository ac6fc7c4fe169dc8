package io.slipstream.service.logic;

/** A client as the logic knows it, whether it is connected or not. */
final class Session {
    final long id;
    final long key;
    final ReplayWindow window = new ReplayWindow();
    final Outbox outbox;

    /** Sequence of the last log entry that came from this session. */
    long lastActive;

    /** Sequence of the command that the last output to this session belongs to, and the index of that output. */
    long outputSequence;
    int outputIndex;

    Session(long id, long key, int outboxBytes) {
        this.id = id;
        this.key = key;
        this.outbox = new Outbox(outboxBytes);
    }

    /** Returns the index of the next output of the command with that sequence. */
    int nextIndex(long sequence) {
        if (outputSequence != sequence) {
            outputSequence = sequence;
            outputIndex = 0;
        }
        return ++outputIndex;
    }
}
