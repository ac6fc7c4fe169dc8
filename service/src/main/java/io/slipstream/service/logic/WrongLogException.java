package io.slipstream.service.logic;

/** A log or a snapshot is not one of the state machine that it was given to. Nothing was changed. */
public final class WrongLogException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public WrongLogException(String message) {
        super(message);
    }
}
