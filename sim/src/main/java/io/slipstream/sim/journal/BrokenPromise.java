package io.slipstream.sim.journal;

/** A journal has not kept what it promises. */
public final class BrokenPromise extends AssertionError {
    private static final long serialVersionUID = 1;

    /** Creates an error that says which promise, and how. */
    public BrokenPromise(String message) {
        super(message);
    }

    /** Creates an error with a cause. */
    public BrokenPromise(String message, Throwable cause) {
        super(message, cause);
    }
}
