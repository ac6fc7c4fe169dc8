package io.slipstream.exchange.wire;

/** Which of the two orders of a trade. */
public enum Role {
    /** A role that this version does not know. */
    UNKNOWN(0),
    /** The order that rested. */
    MAKER(1),
    /** The order that arrived. */
    TAKER(2);

    private final int code;

    Role(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the role with that number, or {@link #UNKNOWN}. */
    public static Role of(int code) {
        return switch (code) {
            case 1 -> MAKER;
            case 2 -> TAKER;
            default -> UNKNOWN;
        };
    }
}
