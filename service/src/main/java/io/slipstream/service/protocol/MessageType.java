package io.slipstream.service.protocol;

/** The types of messages; 0 is left to the journal. */
public final class MessageType {
    /** Client: open or resume a session. Payload: {@link Hello}. */
    public static final short HELLO = 1;

    /** Client: a command for the state machine; journaled, applied once, answered. */
    public static final short COMMAND = 2;

    /** Client: a question to the state machine; not journaled, changes nothing, answered with REPLY. */
    public static final short QUERY = 3;

    /** Client: end the session and forget it. */
    public static final short BYE = 4;

    /** Client: ask the service how it is; answered with REPLY. Payload of the answer: {@link Status}. */
    public static final short STATUS = 5;

    /** Service, to itself: what the log must know to be replayed the same way. Payload: the limit of sessions (int). */
    public static final short SETTINGS = 6;

    /** Service: the session is open. Payload: {@link Welcome}. */
    public static final short WELCOME = 16;

    /** Service: the answer to a command or query. Payload: the state machine's. */
    public static final short REPLY = 17;

    /** Service: something that concerns the session, caused by anybody's command. Payload: the state machine's. */
    public static final short EVENT = 18;

    /** Service: the command was refused because there is too much to do; it was not applied. Payload: {@link Busy}. */
    public static final short BUSY = 19;

    /** Service: the command failed. Payload: {@link FailureNotice}. */
    public static final short FAILED = 20;

    /** Service: the stream is broken and the connection closes. Payload: {@link FailureNotice}. */
    public static final short ERROR = 21;

    private MessageType() {
    }
}
