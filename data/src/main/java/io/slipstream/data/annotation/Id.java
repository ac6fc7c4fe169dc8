package io.slipstream.data.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number by which bytes name a type, or the place of a field among the fields of its type; from 1 to 65,535.
 *
 * <p>Without it, the number of a type follows from its name, and the fields of a record are numbered in the order in
 * which they are declared, those of an interface or a class in the order of their names; both after those of earlier
 * versions.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface Id {
    /** The number; never given to another type or field again. */
    int value();
}
