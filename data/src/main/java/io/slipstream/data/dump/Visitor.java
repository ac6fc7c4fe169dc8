package io.slipstream.data.dump;

/** Follows what lies within what in an encoded value. */
interface Visitor {
    /** Takes no notice. */
    Visitor NONE = new Visitor() {};

    /** A record or a list begins. */
    default void begin(String how) {}

    /** A field or an element comes next. */
    default void next(String how) {}

    /** A single value. */
    default void value(String text) {}

    /** What began last ends. */
    default void end(String how) {}
}
