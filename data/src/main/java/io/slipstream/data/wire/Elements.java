package io.slipstream.data.wire;

import io.slipstream.data.schema.Type;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/** Arrays of primitives, which are copied as a whole. */
public enum Elements {
    /** {@code boolean[]}: a byte for each, which the JDK does not copy as a whole. */
    BOOLEAN(Type.Scalar.BOOLEAN, boolean.class, Bytes.BYTE) {
        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            boolean[] values = (boolean[]) array;
            for (int i = 0; i < length; i++) {
                Bytes.putBoolean(m, at + i, values[i]);
            }
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            boolean[] values = (boolean[]) array;
            for (int i = 0; i < length; i++) {
                values[i] = Bytes.getBoolean(m, at + i);
            }
        }
    },
    /** {@code byte[]}. */
    BYTE(Type.Scalar.BYTE, byte.class, Bytes.BYTE),
    /** {@code short[]}. */
    SHORT(Type.Scalar.SHORT, short.class, Bytes.SHORT),
    /** {@code char[]}. */
    CHAR(Type.Scalar.CHAR, char.class, Bytes.CHAR),
    /** {@code int[]}. */
    INT(Type.Scalar.INT, int.class, Bytes.INT),
    /** {@code long[]}. */
    LONG(Type.Scalar.LONG, long.class, Bytes.LONG),
    /** {@code float[]}. */
    FLOAT(Type.Scalar.FLOAT, float.class, Bytes.FLOAT),
    /** {@code double[]}. */
    DOUBLE(Type.Scalar.DOUBLE, double.class, Bytes.DOUBLE);

    private final int bytes;
    private final Class<?> element;
    private final ValueLayout layout;

    Elements(Type.Scalar type, Class<?> element, ValueLayout layout) {
        this.bytes = type.slotBytes();
        this.element = element;
        this.layout = layout;
    }

    /** Returns the one for a type of elements. */
    public static Elements of(Type.Scalar type) {
        return valueOf(type.name());
    }

    /** Returns the bytes of one element. */
    int bytes() {
        return bytes;
    }

    int length(Object array) {
        return Array.getLength(array);
    }

    Object create(int length) {
        return Array.newInstance(element, length);
    }

    void put(MemorySegment m, long at, Object array, int length) {
        MemorySegment.copy(array, 0, m, layout, at, length);
    }

    void get(MemorySegment m, long at, Object array, int length) {
        MemorySegment.copy(m, layout, at, array, 0, length);
    }
}
