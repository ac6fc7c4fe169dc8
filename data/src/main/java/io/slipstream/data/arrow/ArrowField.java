package io.slipstream.data.arrow;

import io.slipstream.data.arrow.FlatBuffer.Nodes;
import io.slipstream.data.arrow.FlatBuffer.Table;
import java.util.List;

/**
 * A column of Arrow.
 *
 * @param children the fields of a struct
 */
public record ArrowField(String name, boolean isNullable, ArrowType type, List<ArrowField> children) {
    private Table table() {
        return type.field(
                name, isNullable, children.stream().map(ArrowField::table).toList());
    }

    /** Returns the table {@code Schema}, little-endian. */
    static Table schema(List<ArrowField> fields) {
        return new Table()
                .number(0, 2, 0)
                .node(1, new Nodes(fields.stream().map(ArrowField::table).toList()));
    }
}
