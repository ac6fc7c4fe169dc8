package io.slipstream.data.list;

import io.slipstream.data.column.BitColumn;
import io.slipstream.data.column.DoubleColumn;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.Table;
import io.slipstream.data.column.Width;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a field lies in columns.
 *
 * @param name of the field; within a nested record, with the names of the fields before it, as {@code leg.price}
 * @param property the field
 * @param widths of its values: one, but for a UUID, which has two
 * @param first the number of the first of its columns
 * @param presence the number of the column that says whether there is a value, or -1
 * @param around the number of the column that says whether there is the nested record that it is in, or -1
 */
record Column(String name, Property property, List<Width> widths, int first, int presence, int around) {
    static final int NONE = -1;

    static Column of(String owner, String name, Property property, int first, int around) {
        List<Width> widths = widths(owner + "." + name, property);
        boolean hasPresence =
                property.field().isOptional() && !(property.field().type() instanceof Type.Text);
        return new Column(name, property, widths, first, hasPresence ? first + widths.size() : NONE, around);
    }

    /** Returns the number of the column after those of this field. */
    int next() {
        return first + widths.size() + (presence == NONE ? 0 : 1);
    }

    /** Returns the number of the column that says whether a row has a value here, or -1 if all have. */
    int shown() {
        return presence == NONE ? around : presence;
    }

    /** Returns whether a row with the code of no text has no value; else its text is empty. */
    boolean isTextOrNone() {
        return type() instanceof Type.Text && property.field().isOptional();
    }

    Type type() {
        return property.field().type();
    }

    Class<?> javaType() {
        return property.javaType();
    }

    boolean isPrimitive() {
        return javaType().isPrimitive();
    }

    private static List<Width> widths(String where, Property property) {
        return switch (property.field().type()) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case BOOLEAN -> List.of(Width.BIT);
                    case BYTE -> List.of(Width.BYTE);
                    case SHORT -> List.of(Width.SHORT);
                    case CHAR -> List.of(Width.CHAR);
                    case INT, DATE -> List.of(Width.INT);
                    case LONG, INSTANT, DURATION -> List.of(Width.LONG);
                    case FLOAT -> List.of(Width.FLOAT);
                    case DOUBLE -> List.of(Width.DOUBLE);
                    case UUID -> List.of(Width.LONG, Width.LONG);
                };
            case Type.Decimal _ -> List.of(Width.LONG);
            case Type.Enumeration e -> List.of(e.constants().size() <= 256 ? Width.UNSIGNED_BYTE : Width.CHAR);
            case Type.Text _ -> List.of(Width.INT);
            case Type.Array _, Type.Sequence _, Type.Reference _ ->
                throw new IllegalArgumentException(where
                        + ": a huge list has no columns for "
                        + property.genericType().getTypeName()
                        + "; give each of its values a field of its own, or keep them in a list of their own");
        };
    }

    String genericName() {
        return property.genericType().getTypeName();
    }

    /**
     * Returns the values as whole numbers.
     *
     * @throws IllegalArgumentException if they are none
     */
    LongColumn longs(String owner, Table of) {
        return switch (widths.getFirst()) {
            case BYTE, UNSIGNED_BYTE, SHORT, CHAR, INT, LONG -> {
                if (widths.size() > 1) {
                    throw wrongKind(owner, "longs");
                }
                yield new LongColumn(of, first, presence(of), isTextOrNone());
            }
            default -> throw wrongKind(owner, "longs");
        };
    }

    /** Returns the values of {@code float} or {@code double}; throws likewise. */
    DoubleColumn doubles(String owner, Table of) {
        Width width = widths.getFirst();
        if (width != Width.FLOAT && width != Width.DOUBLE) {
            throw wrongKind(owner, "doubles");
        }
        return new DoubleColumn(of, first, presence(of));
    }

    /** Returns the values of {@code boolean}; throws likewise. */
    BitColumn booleans(String owner, Table of) {
        if (widths.getFirst() != Width.BIT) {
            throw wrongKind(owner, "booleans");
        }
        return new BitColumn(of, first, presence(of));
    }

    private @Nullable BitColumn presence(Table of) {
        return shown() == NONE ? null : new BitColumn(of, shown());
    }

    private IllegalArgumentException wrongKind(String owner, String method) {
        return new IllegalArgumentException(
                owner + "." + name + " is " + genericName() + ", which " + method + "() does not read");
    }
}
