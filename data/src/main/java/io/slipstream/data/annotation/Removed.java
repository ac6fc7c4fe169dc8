package io.slipstream.data.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field that a type had in an earlier version. Its name, number and place stay reserved, so that old bytes stay
 * readable.
 *
 * <p>What older programs read for it is the empty value of its type: zero, an empty text, or none.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Removed.All.class)
public @interface Removed {
    /** The name that it had. */
    String name();

    /** The number that it had: its place among the fields, counted from 1. */
    int id();

    /**
     * The type that it had, as {@code slipstream schema show} prints it: {@code long}, {@code string(8)}, {@code int?}.
     * An enum or a record also says what it was, since its class may be gone: {@code enum Side}, {@code enum2 Side} if
     * it had more than 256 constants, {@code record Leg?}, {@code list<record Leg>}. {@code slipstream schema check}
     * prints the whole annotation.
     */
    String type();

    /** The version in which it was added. */
    int since() default 1;

    /** The version from which on it is gone; more than {@link #since}. */
    int in();

    /** Several of them. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {
        /** The fields removed. */
        Removed[] value();
    }
}
