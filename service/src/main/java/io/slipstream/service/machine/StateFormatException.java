package io.slipstream.service.machine;

/** A saved state is not what the code that loads it expects: it was most likely written by another version of it. */
public final class StateFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception that says what was expected and what was there. */
    public StateFormatException(String message) {
        super(message);
    }
}
