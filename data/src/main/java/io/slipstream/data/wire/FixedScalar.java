package io.slipstream.data.wire;

import io.slipstream.data.schema.Type;
import java.lang.foreign.MemorySegment;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;

/** Boxes of primitives, and times, dates and UUIDs. */
public enum FixedScalar implements Fixed {
    /** {@code Boolean}. */
    BOOLEAN(Type.Scalar.BOOLEAN) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putBoolean(m, at, (Boolean) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getBoolean(m, at);
        }
    },
    /** {@code Byte}. */
    BYTE(Type.Scalar.BYTE) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putByte(m, at, (Byte) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getByte(m, at);
        }
    },
    /** {@code Short}. */
    SHORT(Type.Scalar.SHORT) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putShort(m, at, (Short) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getShort(m, at);
        }
    },
    /** {@code Character}. */
    CHAR(Type.Scalar.CHAR) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putChar(m, at, (Character) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getChar(m, at);
        }
    },
    /** {@code Integer}. */
    INT(Type.Scalar.INT) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putInt(m, at, (Integer) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getInt(m, at);
        }
    },
    /** {@code Long}. */
    LONG(Type.Scalar.LONG) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putLong(m, at, (Long) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getLong(m, at);
        }
    },
    /** {@code Float}. */
    FLOAT(Type.Scalar.FLOAT) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putFloat(m, at, (Float) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getFloat(m, at);
        }
    },
    /** {@code Double}. */
    DOUBLE(Type.Scalar.DOUBLE) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Bytes.putDouble(m, at, (Double) value);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Bytes.getDouble(m, at);
        }
    },
    /** {@code Instant}: seconds since 1970, then nanoseconds. */
    INSTANT(Type.Scalar.INSTANT) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Instant instant = (Instant) value;
            Bytes.putLong(m, at, instant.getEpochSecond());
            Bytes.putInt(m, at + Long.BYTES, instant.getNano());
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            long second = Bytes.getLong(m, at);
            int nanos = nanos(m, at, place, offset);
            try {
                return Instant.ofEpochSecond(second, nanos);
            } catch (DateTimeException e) {
                throw place.bad(offset, second + " seconds are beyond what an Instant holds");
            }
        }
    },
    /** {@code Duration}: seconds, then nanoseconds. */
    DURATION(Type.Scalar.DURATION) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            Duration duration = (Duration) value;
            Bytes.putLong(m, at, duration.getSeconds());
            Bytes.putInt(m, at + Long.BYTES, duration.getNano());
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return Duration.ofSeconds(Bytes.getLong(m, at), nanos(m, at, place, offset));
        }
    },
    /** {@code LocalDate}: days since 1970. */
    DATE(Type.Scalar.DATE) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            long day = ((LocalDate) value).toEpochDay();
            if (day != (int) day) {
                throw place.wrong(value + " is more than 2^31 days from 1970");
            }
            Bytes.putInt(m, at, (int) day);
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return LocalDate.ofEpochDay(Bytes.getInt(m, at));
        }
    },
    /** {@code UUID}: the most, then the least significant bits. */
    UUID(Type.Scalar.UUID) {
        @Override
        public void put(MemorySegment m, long at, Object value, Place place) {
            UUID uuid = (UUID) value;
            Bytes.putLong(m, at, uuid.getMostSignificantBits());
            Bytes.putLong(m, at + Long.BYTES, uuid.getLeastSignificantBits());
        }

        @Override
        public Object get(MemorySegment m, long at, Place place, int offset) {
            return new UUID(Bytes.getLong(m, at), Bytes.getLong(m, at + Long.BYTES));
        }
    };

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final int bytes;

    FixedScalar(Type.Scalar type) {
        bytes = type.slotBytes();
    }

    /** Returns the one for a type. */
    public static FixedScalar of(Type.Scalar type) {
        return valueOf(type.name());
    }

    @Override
    public int bytes() {
        return bytes;
    }

    private static int nanos(MemorySegment m, long at, Place place, int offset) {
        int nanos = Bytes.getInt(m, at + Long.BYTES);
        if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw place.bad(offset, "has " + nanos + " nanoseconds of a second");
        }
        return nanos;
    }
}
