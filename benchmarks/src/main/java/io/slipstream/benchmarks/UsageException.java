package io.slipstream.benchmarks;

/** The command line cannot be followed; the message says why. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
