package io.slipstream.data.wire;

import io.slipstream.data.schema.Type;
import java.lang.foreign.MemorySegment;

/** Arrays of primitives, which are copied as a whole. */
public enum Elements {
    /** {@code boolean[]}. */
    BOOLEAN(Type.Scalar.BOOLEAN) {
        @Override
        int length(Object array) {
            return ((boolean[]) array).length;
        }

        @Override
        Object create(int length) {
            return new boolean[length];
        }

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
    BYTE(Type.Scalar.BYTE) {
        @Override
        int length(Object array) {
            return ((byte[]) array).length;
        }

        @Override
        Object create(int length) {
            return new byte[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((byte[]) array, 0, m, Bytes.BYTE, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.BYTE, at, (byte[]) array, 0, length);
        }
    },
    /** {@code short[]}. */
    SHORT(Type.Scalar.SHORT) {
        @Override
        int length(Object array) {
            return ((short[]) array).length;
        }

        @Override
        Object create(int length) {
            return new short[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((short[]) array, 0, m, Bytes.SHORT, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.SHORT, at, (short[]) array, 0, length);
        }
    },
    /** {@code char[]}. */
    CHAR(Type.Scalar.CHAR) {
        @Override
        int length(Object array) {
            return ((char[]) array).length;
        }

        @Override
        Object create(int length) {
            return new char[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((char[]) array, 0, m, Bytes.CHAR, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.CHAR, at, (char[]) array, 0, length);
        }
    },
    /** {@code int[]}. */
    INT(Type.Scalar.INT) {
        @Override
        int length(Object array) {
            return ((int[]) array).length;
        }

        @Override
        Object create(int length) {
            return new int[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((int[]) array, 0, m, Bytes.INT, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.INT, at, (int[]) array, 0, length);
        }
    },
    /** {@code long[]}. */
    LONG(Type.Scalar.LONG) {
        @Override
        int length(Object array) {
            return ((long[]) array).length;
        }

        @Override
        Object create(int length) {
            return new long[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((long[]) array, 0, m, Bytes.LONG, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.LONG, at, (long[]) array, 0, length);
        }
    },
    /** {@code float[]}. */
    FLOAT(Type.Scalar.FLOAT) {
        @Override
        int length(Object array) {
            return ((float[]) array).length;
        }

        @Override
        Object create(int length) {
            return new float[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((float[]) array, 0, m, Bytes.FLOAT, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.FLOAT, at, (float[]) array, 0, length);
        }
    },
    /** {@code double[]}. */
    DOUBLE(Type.Scalar.DOUBLE) {
        @Override
        int length(Object array) {
            return ((double[]) array).length;
        }

        @Override
        Object create(int length) {
            return new double[length];
        }

        @Override
        void put(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy((double[]) array, 0, m, Bytes.DOUBLE, at, length);
        }

        @Override
        void get(MemorySegment m, long at, Object array, int length) {
            MemorySegment.copy(m, Bytes.DOUBLE, at, (double[]) array, 0, length);
        }
    };

    private final int bytes;

    Elements(Type.Scalar type) {
        bytes = type.slotBytes();
    }

    /** Returns the one for a type of elements. */
    public static Elements of(Type.Scalar type) {
        return valueOf(type.name());
    }

    /** Returns the bytes of one element. */
    int bytes() {
        return bytes;
    }

    abstract int length(Object array);

    abstract Object create(int length);

    abstract void put(MemorySegment m, long at, Object array, int length);

    abstract void get(MemorySegment m, long at, Object array, int length);
}
