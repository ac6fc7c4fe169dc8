package io.slipstream.data.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The version of the schema in which this field was added; 1 without this annotation.
 *
 * <p>A reader of this schema that meets bytes of an earlier version takes the {@link Default} of the field.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface Since {
    /** The version, from 1 to 65,535. */
    int value();
}
