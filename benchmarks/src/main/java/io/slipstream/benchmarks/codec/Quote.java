package io.slipstream.benchmarks.codec;

/** The fields of an {@link Order}, for a flyweight. */
public interface Quote {
    /** Returns the number. */
    long id();

    /** Sets the number. */
    void id(long id);

    /** Returns the price. */
    long price();

    /** Sets the price. */
    void price(long price);

    /** Returns the quantity. */
    long quantity();

    /** Sets the quantity. */
    void quantity(long quantity);

    /** Returns the instrument. */
    int instrument();

    /** Sets the instrument. */
    void instrument(int instrument);

    /** Returns the side. */
    Side side();

    /** Sets the side. */
    void side(Side side);

    /** Returns the time. */
    long time();

    /** Sets the time. */
    void time(long time);
}
