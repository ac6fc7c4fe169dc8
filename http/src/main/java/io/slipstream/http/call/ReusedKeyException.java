package io.slipstream.http.call;

/** An idempotency key came with a command of another type than before. Nothing was sent. */
public final class ReusedKeyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReusedKeyException(String first, String now) {
        super("the idempotency key was used before for a command " + first + ", and now for a command " + now
                + "; give each command a key of its own");
    }
}
