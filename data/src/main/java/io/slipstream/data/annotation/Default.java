package io.slipstream.data.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of a field for bytes that were written before the field was added, as {@code toString} of the value prints
 * it.
 *
 * <p>Without it, a number is zero, a text, an array or a list is empty, and an optional field is absent.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface Default {
    /** The value as text: a number, {@code true}, the name of an enum constant, a text, an ISO time. */
    String value();
}
