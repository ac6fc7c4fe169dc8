package io.slipstream.data;

/** Bytes or text that are not what their schema says; the message names the field and the offset. */
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;
    private final long offset;

    /**
     * Creates the exception.
     *
     * @param field type and field, such as {@code Order.symbol}
     * @param offset of the byte in question from the begin of the message
     * @param what is wrong
     */
    public DecodeException(String field, long offset, String what) {
        super(field + " at byte " + offset + ": " + what);
        this.field = field;
        this.offset = offset;
    }

    /** Returns type and field, such as {@code Order.symbol}. */
    public String field() {
        return field;
    }

    /** Returns the offset from the begin of the message. */
    public long offset() {
        return offset;
    }
}
