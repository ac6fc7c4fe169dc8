package io.slipstream.ticks;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Scale;

/** One trade: the description from which the columns, the index, CSV and JSON come. */
public interface Trade {
    /** Returns the number of the trade: its identity. */
    long id();

    /** Sets the number. */
    void id(long id);

    /** Returns the time in nanoseconds since 1970. */
    long time();

    /** Sets the time. */
    void time(long time);

    /** Returns the symbol. */
    @MaxLength(8)
    String symbol();

    /** Sets the symbol. */
    void symbol(String symbol);

    /** Returns the side. */
    Side side();

    /** Sets the side. */
    void side(Side side);

    /** Returns the price in cents. */
    @Scale(2)
    long price();

    /** Sets the price in cents. */
    void price(long price);

    /** Returns the quantity. */
    int quantity();

    /** Sets the quantity. */
    void quantity(int quantity);

    /** Returns whether it was made in an auction. */
    boolean auction();

    /** Sets whether it was made in an auction. */
    void auction(boolean auction);
}
