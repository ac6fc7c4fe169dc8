package io.slipstream.data.codec;

import io.slipstream.data.schema.Property;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a property is read and set in Java.
 *
 * @param property of the schema
 * @param getter from {@code Object} to the primitive type of the property, or to {@code Object}
 * @param setter from {@code Object} and that type to nothing; null for a record
 */
record Accessor(
        Property property, MethodHandle getter, @Nullable MethodHandle setter) {
    /** Returns the primitive type, or {@code Object}. */
    Class<?> type() {
        return getter.type().returnType();
    }

    /** Returns the value of the property, boxed. */
    @Nullable
    Object get(Object owner) {
        try {
            return getter.invoke(owner);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(property.name(), e);
        }
    }

    /** Sets the property from its boxed value. */
    void set(Object owner, @Nullable Object value) {
        try {
            Objects.requireNonNull(setter).invoke(owner, value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(property.name(), e);
        }
    }
}
