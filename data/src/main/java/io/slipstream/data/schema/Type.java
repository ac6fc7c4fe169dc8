package io.slipstream.data.schema;

import java.util.List;

/**
 * The type of a field, apart from whether it is optional.
 *
 * <p>A fixed type takes {@link #slotBytes} bytes in the block of its record and nothing else. Any other has a slot of
 * four bytes there, which says where its bytes begin.
 */
public sealed interface Type {
    /** Bytes of the slot of a type that is not fixed. */
    int REFERENCE_BYTES = 4;

    /** Returns the bytes that a value takes in the block of its record. */
    int slotBytes();

    /** Returns whether the whole value lies in the block. */
    default boolean isFixed() {
        return true;
    }

    /** A type without parameters whose values all have the same size. */
    enum Scalar implements Type {
        /** One byte, 0 or 1. */
        BOOLEAN(1, boolean.class),
        /** One byte. */
        BYTE(1, byte.class),
        /** Two bytes. */
        SHORT(2, short.class),
        /** One UTF-16 unit in two bytes. */
        CHAR(2, char.class),
        /** Four bytes. */
        INT(4, int.class),
        /** Eight bytes. */
        LONG(8, long.class),
        /** Four bytes, IEEE 754. */
        FLOAT(4, float.class),
        /** Eight bytes, IEEE 754. */
        DOUBLE(8, double.class),
        /** Seconds since 1970 in eight bytes, nanoseconds in four. */
        INSTANT(12, java.time.Instant.class),
        /** Seconds in eight bytes, nanoseconds in four. */
        DURATION(12, java.time.Duration.class),
        /** Days since 1970 in four bytes. */
        DATE(4, java.time.LocalDate.class),
        /** The most and the least significant eight bytes. */
        UUID(16, java.util.UUID.class);

        private final int slotBytes;
        private final Class<?> javaType;

        Scalar(int slotBytes, Class<?> javaType) {
            this.slotBytes = slotBytes;
            this.javaType = javaType;
        }

        @Override
        public int slotBytes() {
            return slotBytes;
        }

        /** Returns the Java type of a value; for a primitive, the primitive and not its box. */
        public Class<?> javaType() {
            return javaType;
        }

        /** Returns whether this is a primitive type of Java. */
        public boolean isPrimitive() {
            return javaType.isPrimitive();
        }
    }

    /**
     * An amount with a fixed number of decimal places; its mantissa is a {@code long}.
     *
     * @param scale the number of decimal places
     */
    record Decimal(int scale) implements Type {
        @Override
        public int slotBytes() {
            return Long.BYTES;
        }
    }

    /**
     * One of a list of names. Bytes hold the index of the name: in one byte for up to 256 names, else in two.
     *
     * @param name of the enum
     * @param constants names in the order of their indexes
     */
    record Enumeration(String name, List<String> constants) implements Type {
        /** Copies the list. */
        public Enumeration {
            constants = List.copyOf(constants);
        }

        @Override
        public int slotBytes() {
            return constants.size() <= 256 ? 1 : 2;
        }
    }

    /**
     * A text, in UTF-8.
     *
     * @param maxBytes most bytes of UTF-8, or 0 for no limit but that of the message
     */
    record Text(int maxBytes) implements Type {
        /** Checks the bound. */
        public Text {
            requireNotNegative("bytes of a text", maxBytes);
        }

        @Override
        public int slotBytes() {
            return REFERENCE_BYTES;
        }

        @Override
        public boolean isFixed() {
            return false;
        }
    }

    /**
     * An array of primitives.
     *
     * @param element the type of the elements
     * @param maxLength most elements, or 0 for no limit but that of the message
     * @param isExact whether there are always {@code maxLength} elements; then they lie in the block
     */
    record Array(Scalar element, int maxLength, boolean isExact) implements Type {
        /** Checks the bound. */
        public Array {
            requireNotNegative("elements of an array", maxLength);
        }

        @Override
        public int slotBytes() {
            return isExact
                    ? (int) Math.min((long) maxLength * element.slotBytes(), Integer.MAX_VALUE)
                    : REFERENCE_BYTES;
        }

        @Override
        public boolean isFixed() {
            return isExact;
        }
    }

    /**
     * A list. No element is null.
     *
     * @param element the type of the elements
     * @param maxLength most elements, or 0 for no limit but that of the message
     */
    record Sequence(Type element, int maxLength) implements Type {
        /** Checks the bound. */
        public Sequence {
            requireNotNegative("elements of a list", maxLength);
        }

        @Override
        public int slotBytes() {
            return REFERENCE_BYTES;
        }

        @Override
        public boolean isFixed() {
            return false;
        }
    }

    /**
     * A value of another definition: a record, or one of several.
     *
     * @param name of the definition
     */
    record Reference(String name) implements Type {
        @Override
        public int slotBytes() {
            return REFERENCE_BYTES;
        }

        @Override
        public boolean isFixed() {
            return false;
        }
    }

    private static void requireNotNegative(String what, int most) {
        if (most < 0) {
            throw new SchemaException("the most " + what + " are 0, for no limit, or more, not " + most);
        }
    }
}
