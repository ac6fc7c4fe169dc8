package io.slipstream.data.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number of decimal places of a {@code BigDecimal}, or of a {@code long} that counts the smallest units of money.
 * Bytes hold the mantissa, a {@code long}; the scale stands in the schema alone, and no {@code double} comes between.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface Scale {
    /** The number of decimal places, from 0 to 18. */
    int value();
}
