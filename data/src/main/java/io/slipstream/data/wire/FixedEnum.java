package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;

/**
 * A constant of an enum: its index.
 *
 * @param constants in the order of their indexes; not to be changed
 * @param isWide whether the index takes two bytes and not one
 */
public record FixedEnum(Object[] constants, boolean isWide) implements Fixed {
    @Override
    public int bytes() {
        return isWide ? 2 : 1;
    }

    @Override
    public void put(MemorySegment m, long at, Object value, Place place) {
        int index = ((Enum<?>) value).ordinal();
        if (isWide) {
            Bytes.putShort(m, at, (short) index);
        } else {
            Bytes.putByte(m, at, (byte) index);
        }
    }

    @Override
    public Object get(MemorySegment m, long at, Place place, int offset) {
        int index = isWide ? Bytes.getShort(m, at) & 0xffff : Bytes.getByte(m, at) & 0xff;
        if (index >= constants.length) {
            throw place.bad(
                    offset,
                    "is constant " + index + ", but " + constants[0].getClass().getSimpleName()
                            + " has "
                            + constants.length + "; the bytes are of a newer version of it, or damaged");
        }
        return constants[index];
    }
}
