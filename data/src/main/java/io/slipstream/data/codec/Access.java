package io.slipstream.data.codec;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How values of a type are made and read in Java.
 *
 * @param accessors of the properties, in the order of the bytes
 * @param constructor from all properties, in the order of {@code arguments}, or from none, to {@code Object}; null for a union
 * @param arguments indexes of accessors, in the order of the constructor; empty if it takes none
 * @param maxLength most bytes of a value
 */
record Access(List<Accessor> accessors, @Nullable MethodHandle constructor, int[] arguments, int maxLength) {
}
