package io.slipstream.data.codec;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How values of a type are made and read in Java.
 *
 * @param accessors of the properties, in the order of the bytes
 * @param constructor from all properties, in the order of {@code arguments}, or from none, to {@code Object}; null for
 * a union
 * @param arguments indexes of accessors, in the order of the constructor; empty if it takes none
 * @param maxLength most bytes of a value
 */
record Access(List<Accessor> accessors, @Nullable MethodHandle constructor, int[] arguments, int maxLength) {
    /** Returns a new value. */
    @SuppressWarnings("unchecked")
    <T> T create(@Nullable Object[] values) {
        MethodHandle make = Objects.requireNonNull(constructor);
        try {
            if (accessors.isEmpty() || accessors.getFirst().setter() == null) {
                @Nullable Object[] sorted = new @Nullable Object[arguments.length];
                for (int i = 0; i < sorted.length; i++) {
                    sorted[i] = values[arguments[i]];
                }
                return (T) make.invokeWithArguments(sorted);
            }
            Object value = make.invoke();
            for (int i = 0; i < values.length; i++) {
                accessors.get(i).set(value, values[i]);
            }
            return (T) value;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException(e);
        }
    }
}
