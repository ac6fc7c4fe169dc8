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

    /**
     * Service, to itself: it has started; whose log this is, and how it is replayed. All connections of before have
     * ended. Payload: {@link Start}.
     */
    public static final short START = 6;

    /** Service, to itself: time has come to the deadline of a timer. No payload; the header has the time. */
    public static final short TICK = 7;

    /**
     * Service, to itself: the connection of a session has ended. Session and, as correlation, connection are in the
     * header.
     */
    public static final short DETACH = 8;

    /**
     * Service, to itself: the hash of the state behind an earlier entry. Payload: its sequence and the hash (two
     * longs). If that is the entry right before, each replay can compare; otherwise one that took the hash there.
     */
    public static final short CHECK = 9;

    /**
     * Client: subscribe to a topic; not journaled; answered with items and SUBSCRIBED. Payload: {@link Subscription}.
     */
    public static final short SUBSCRIBE = 10;

    /** Client: end a subscription; not journaled; answered with UNSUBSCRIBED. Payload: {@link Subscription}. */
    public static final short UNSUBSCRIBE = 11;

    /**
     * Client: what its records look like; not journaled; answered by the gateway, with an empty REPLY or with ERROR.
     * Payload: {@link ClientSchema}.
     */
    public static final short SCHEMA = 12;

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

    /** Service: an item of a topic. The correlation is the topic. Payload: the state machine's. */
    public static final short ITEM = 23;

    /** Service: the items of the topic come from here on. Payload: {@link Subscription}. */
    public static final short SUBSCRIBED = 24;

    /** Service: no more items of the topic come from here on. Payload: {@link Subscription}. */
    public static final short UNSUBSCRIBED = 25;

    /**
     * Service, to its gateway: the log had no room for a BYE or DETACH of its own, which is to be said again. The index
     * is its type.
     */
    public static final short UNLOGGED = 26;

    private MessageType() {}

    /** Returns whether a message of that type goes into the log: whatever may change something. */
    public static boolean isLogged(short type) {
        return type != QUERY && type != STATUS && type != SUBSCRIBE && type != UNSUBSCRIBE && type != SCHEMA;
    }

    /** Returns whether a message of that type is for the state machine to answer. */
    public static boolean isRequest(short type) {
        return type == COMMAND || type == QUERY;
    }

    /** Returns whether a message of that type is the one answer to a request. */
    public static boolean isAnswer(short type) {
        return type == REPLY || type == FAILED || type == SUBSCRIBED || type == UNSUBSCRIBED;
    }

    /** Returns whether a service writes messages of that type into its log without a client. */
    public static boolean isOwn(short type) {
        return type == START || type == TICK || type == CHECK;
    }
}
