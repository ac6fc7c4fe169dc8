package io.slipstream.data.schema;

import java.lang.reflect.Member;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link Field} is found in Java.
 *
 * @param field what the bytes hold
 * @param javaType of the values: a primitive, its box, {@code String}, an array, {@code List}, a record, ...
 * @param genericType the same with its type arguments
 * @param getter the accessor of a record, the getter of an interface, or the field of a class
 * @param setter the setter of an interface, the field of a class, or null if there is none
 */
public record Property(
        Field field,
        Class<?> javaType,
        Type genericType,
        Member getter,
        @Nullable Member setter) {
    /** Returns the name in the schema. */
    public String name() {
        return field.name();
    }
}
