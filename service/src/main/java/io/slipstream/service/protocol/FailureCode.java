package io.slipstream.service.protocol;

/** Why a command failed or a connection was closed; sent as a number, never renumbered. */
public enum FailureCode {
    /** A code that this version does not know. */
    UNKNOWN(0),
    /** The frame cannot be: its length is impossible. */
    MALFORMED(1),
    /** The frame is longer than the service takes. */
    TOO_LONG(2),
    /** The sender speaks another version of the protocol. */
    UNSUPPORTED_VERSION(3),
    /** There is no such type of message for a service. */
    UNKNOWN_TYPE(4),
    /** A command came before HELLO was answered. */
    NO_SESSION(5),
    /** The session was forgotten to make room for a newer one, or was ended. */
    UNKNOWN_SESSION(6),
    /** The command was applied before, and its reply is no longer kept. */
    ALREADY_APPLIED(7),
    /** The correlation is so old that the service cannot tell whether the command was applied. */
    TOO_OLD(8),
    /** The state machine threw; the text says what. */
    LOGIC_FAILED(9),
    /** The service is shutting down. */
    CLOSING(10),
    /** Another connection has resumed this session. */
    SUPERSEDED(11),
    /** The client did not read its outputs fast enough, or held the most when the memory for all was used up. */
    SLOW_CONSUMER(12),
    /** The service takes no more connections. */
    TOO_MANY_CONNECTIONS(13),
    /** The service remembers as many sessions as it may, and each of them has a client. */
    TOO_MANY_SESSIONS(14),
    /** Without a token or certificate that is valid. */
    UNAUTHENTICATED(15),
    /** The principal may not do this. */
    FORBIDDEN(16),
    /** The state machine did not accept the command; the text says why. */
    REJECTED(17),
    /** The service would misread the records of the client, or the client those of the service; the text says which. */
    OTHER_SCHEMA(18),
    /** The client, or all clients together, have as many subscriptions as there may be; the text says which. */
    TOO_MANY_SUBSCRIPTIONS(19);

    private static final FailureCode[] BY_NUMBER = new FailureCode[32];

    static {
        for (FailureCode code : values()) {
            BY_NUMBER[code.number] = code;
        }
    }

    private final int number;

    FailureCode(int number) {
        this.number = number;
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the code with that number, or {@link #UNKNOWN}. */
    public static FailureCode of(int number) {
        FailureCode code = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        return code == null ? UNKNOWN : code;
    }
}
