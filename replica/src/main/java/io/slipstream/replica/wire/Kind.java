package io.slipstream.replica.wire;

/** The kinds of messages between sites. The place in this list is the number on the wire; new ones go to the end. */
public enum Kind {
    /** Backup, first of all: version of the protocol (int) and a nonce. */
    CHALLENGE,

    /** Primary: journal id (two longs), term, first and last sequence. */
    HELLO,

    /** Backup: send on. Term, next sequence, sequence and CRC-32C of the last record. */
    WELCOME,

    /** Backup: it was promoted. Its term, and the sequence of the last record that it has of the primary. */
    FENCED,

    /** Backup: not with you, and why, in UTF-8. */
    REFUSED,

    /** Primary: durable sequence (long), sequence of the first record (long), and records side by side. */
    DATA,

    /** Primary: durable sequence; shows that it is there. */
    PING,

    /** Backup: the sequence up to which all records are durable there. */
    ACK,

    /** Anybody: how are you? Answered with REPORT. */
    STATUS,

    /** Backup: answers STATUS. */
    REPORT,

    /** Anybody: a query for the state machine. Answered with RESULT. */
    QUERY,

    /** Backup: the sequence up to which the log was applied, and the machine's reply. */
    RESULT,

    /** Operator: take over. Answered with PROMOTED. */
    PROMOTE,

    /** Backup: it has taken over. Term, and the sequence of the last record. */
    PROMOTED;

    private static final Kind[] ALL = values();

    /** Returns the kind with that number on the wire. */
    static Kind of(int code) throws WireException {
        if (code < 0 || code >= ALL.length) {
            throw new WireException("a message has the unknown kind " + code);
        }
        return ALL[code];
    }
}
