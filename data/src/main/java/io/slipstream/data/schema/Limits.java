package io.slipstream.data.schema;

import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Scale;
import org.jspecify.annotations.Nullable;

/** The annotations of a field that say how much it holds; each must fit its type. */
final class Limits {
    private @Nullable MaxLength maxLength;
    private @Nullable Length length;
    private @Nullable Scale scale;

    private Limits(@Nullable MaxLength maxLength, @Nullable Length length, @Nullable Scale scale) {
        this.maxLength = maxLength;
        this.length = length;
        this.scale = scale;
    }

    static Limits of(JavaField field, String where) {
        Limits limits = new Limits(
                field.annotation(MaxLength.class), field.annotation(Length.class), field.annotation(Scale.class));
        if (limits.maxLength != null && limits.maxLength.value() < 1
                || limits.length != null && limits.length.value() < 1) {
            throw new SchemaException(where + ": a length is at least 1");
        }
        return limits;
    }

    boolean hasScale() {
        return scale != null;
    }

    int takeMaxLength() {
        int value = maxLength == null ? 0 : maxLength.value();
        maxLength = null;
        return value;
    }

    int takeLength() {
        int value = length == null ? 0 : length.value();
        length = null;
        return value;
    }

    int takeScale(String where) {
        if (scale == null) {
            throw new SchemaException(where + ": a BigDecimal needs @Scale, the number of its decimal places");
        }
        int value = scale.value();
        if (value < 0 || value > 18) {
            throw new SchemaException(where + ": @Scale(" + value + ") is not between 0 and 18");
        }
        scale = null;
        return value;
    }

    void refuseUnused(String where) {
        String what = maxLength != null
                ? "@MaxLength is for strings, arrays and lists"
                : length != null
                        ? "@Length is for arrays of primitives"
                        : scale != null ? "@Scale is for BigDecimal and long" : null;
        if (what != null) {
            throw new SchemaException(where + ": " + what);
        }
    }
}
