package io.slipstream.data.schema;

/** A schema that cannot be: the message names the class and the field, what is wrong with it, and what to do. */
public final class SchemaException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** Creates the exception with what was wrong, where, and what to do. */
    public SchemaException(String message) {
        super(message);
    }

    /** Creates the exception with what was wrong, where, and what to do. */
    public SchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
