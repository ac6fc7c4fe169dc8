package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A {@code BigDecimal}: its mantissa.
 *
 * @param scale the number of decimal places
 */
public record FixedDecimal(int scale) implements Fixed {
    @Override
    public int bytes() {
        return Long.BYTES;
    }

    @Override
    public void put(MemorySegment m, long at, Object value, Place place) {
        Bytes.putLong(m, at, mantissa((BigDecimal) value, place));
    }

    @Override
    public Object get(MemorySegment m, long at, Place place, int offset) {
        return BigDecimal.valueOf(Bytes.getLong(m, at), scale);
    }

    private long mantissa(BigDecimal value, Place place) {
        try {
            return value.setScale(scale, RoundingMode.UNNECESSARY)
                    .unscaledValue()
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw place.wrong(value + " cannot be written with " + scale + " decimal places and a mantissa of 63 bits");
        }
    }
}
