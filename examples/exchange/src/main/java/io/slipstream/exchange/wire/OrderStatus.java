package io.slipstream.exchange.wire;

/** What has become of the order that a command was about. */
public enum OrderStatus {
    /** A status that this version does not know. */
    UNKNOWN(0),
    /** The remaining quantity is in the book. */
    RESTING(1),
    /** Nothing remains. */
    FILLED(2),
    /** The remaining quantity is not in the book, or not any more. */
    CANCELLED(3),
    /** The command was refused and has changed nothing. */
    REJECTED(4);

    private final int code;

    OrderStatus(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the status with that number, or {@link #UNKNOWN}. */
    public static OrderStatus of(int code) {
        return switch (code) {
            case 1 -> RESTING;
            case 2 -> FILLED;
            case 3 -> CANCELLED;
            case 4 -> REJECTED;
            default -> UNKNOWN;
        };
    }
}
