package io.slipstream.data.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The most that a field may hold: bytes of UTF-8 of a string, elements of an array or list. Encoding more is refused,
 * and so are bytes that hold more.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface MaxLength {
    /** The limit, at least 1. */
    int value();
}
