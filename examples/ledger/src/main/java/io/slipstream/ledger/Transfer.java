package io.slipstream.ledger;

/**
 * A transfer, or a step of one.
 *
 * @param id      of this transfer; never used twice
 * @param debit   account that pays; 0 for {@link Step#POST} and {@link Step#VOID}
 * @param credit  account that receives; 0 for these
 * @param amount  more than 0; for these 0
 * @param step    what is to be done
 * @param pending transfer that is posted or voided; else 0
 * @param seconds after which a {@link Step#PENDING} one expires, 0 for never; a negative number is refused in each step
 */
public record Transfer(long id, long debit, long credit, long amount, Step step, long pending, int seconds) {
    /** What a transfer does. */
    public enum Step {
        /** Pays at once. */
        PAY,
        /** Sets the amount aside. */
        PENDING,
        /** Pays what was set aside. */
        POST,
        /** Gives it back. */
        VOID
    }

    /** Returns a transfer that pays at once. */
    public static Transfer pay(long id, long debit, long credit, long amount) {
        return new Transfer(id, debit, credit, amount, Step.PAY, 0, 0);
    }

    /**
     * Returns a transfer that sets an amount aside for so many seconds; 0 means until it is posted or voided.
     *
     * @throws IllegalArgumentException if the seconds are negative
     */
    public static Transfer pending(long id, long debit, long credit, long amount, int seconds) {
        if (seconds < 0) {
            throw new IllegalArgumentException("an amount is set aside for 0 seconds or more, not " + seconds);
        }
        return new Transfer(id, debit, credit, amount, Step.PENDING, 0, seconds);
    }

    /** Returns a transfer that pays what {@code pending} has set aside. */
    public static Transfer post(long id, long pending) {
        return new Transfer(id, 0, 0, 0, Step.POST, pending, 0);
    }

    /** Returns a transfer that gives back what {@code pending} has set aside. */
    public static Transfer voided(long id, long pending) {
        return new Transfer(id, 0, 0, 0, Step.VOID, pending, 0);
    }
}
