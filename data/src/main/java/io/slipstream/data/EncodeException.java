package io.slipstream.data;

/** A value that does not fit its schema, or not where it is to be written; the message names the field. */
public final class EncodeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;

    /**
     * Creates the exception.
     *
     * @param field type and field, such as {@code Order.symbol}
     * @param what is wrong
     */
    public EncodeException(String field, String what) {
        super(field + ": " + what);
        this.field = field;
    }

    /** Returns type and field, such as {@code Order.symbol}. */
    public String field() {
        return field;
    }
}
