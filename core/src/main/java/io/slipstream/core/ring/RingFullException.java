package io.slipstream.core.ring;

/**
 * Thrown by a publication that finds no room when the ring's policy is {@link WhenFull#FAIL}. It has no stack trace,
 * and each ring has one that it throws again and again, so that overload makes no garbage.
 */
public final class RingFullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RingFullException(int capacity, String unit) {
        super(
                "the ring of " + capacity + " " + unit
                        + " is full, as its consumers have not passed what is in it; try again later, "
                        + "let publishers wait (WhenFull.WAIT), or make the ring larger",
                null,
                false,
                false);
    }
}
