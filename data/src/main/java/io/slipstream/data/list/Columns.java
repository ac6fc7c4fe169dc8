package io.slipstream.data.list;

import io.slipstream.data.column.Width;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How the fields of the elements lie in columns: those of a nested record have columns of their own. */
final class Columns {
    private final Schema<?> schema;
    private final List<Column> all = new ArrayList<>();
    private final List<Width> widths = new ArrayList<>();
    private final List<Node> fields;

    /** A field of an element or of a nested record. */
    sealed interface Node {
        /** Returns the field. */
        Property property();
    }

    /** A field with columns. The number is that of the {@link Column} among all of the list. */
    record Leaf(Property property, int number) implements Node {}

    /**
     * A nested record.
     *
     * @param name of the field, with those before it
     * @param presence the number of the column that says whether there is one, or -1
     * @param first the number of the first of its columns, that one included
     * @param end the number of the column after its last one
     */
    record Group(Property property, String name, List<Node> fields, int presence, int first, int end) implements Node {}

    /**
     * Plans the columns of a type.
     *
     * @throws IllegalArgumentException if a field can have none; the message names it
     */
    Columns(Schema<?> schema) {
        this.schema = schema;
        this.fields = nodes(schema, "", Column.NONE, new HashSet<>());
    }

    /** Returns the fields of the elements. */
    List<Node> fields() {
        return fields;
    }

    /** Returns the fields that have columns, those of nested records included. */
    List<Column> all() {
        return all;
    }

    /** Returns the widths of all columns. */
    List<Width> widths() {
        return widths;
    }

    /** Returns the number of a field of the elements among {@link #all}. */
    int numberOf(Property property) {
        for (Node node : fields) {
            if (node instanceof Leaf(Property its, int number) && its.equals(property)) {
                return number;
            }
        }
        throw new IllegalArgumentException(schema.name() + "." + property.name() + " has no column");
    }

    private List<Node> nodes(Schema<?> of, String prefix, int around, Set<Class<?>> open) {
        List<Node> nodes = new ArrayList<>();
        open.add(of.type());
        for (Property property : of.properties()) {
            String name = prefix + property.name();
            nodes.add(
                    property.field().type() instanceof Type.Reference
                            ? group(property, name, around, open)
                            : leaf(property, name, around));
        }
        open.remove(of.type());
        return List.copyOf(nodes);
    }

    private Leaf leaf(Property property, String name, int around) {
        Column column = Column.of(schema.name(), name, property, widths.size(), around);
        all.add(column);
        widths.addAll(column.widths());
        if (column.presence() != Column.NONE) {
            widths.add(Width.BIT);
        }
        return new Leaf(property, all.size() - 1);
    }

    private Group group(Property property, String name, int around, Set<Class<?>> open) {
        Schema<?> nested = schema.nested(property.javaType());
        if (nested.kind() != Schema.Kind.RECORD) {
            throw new IllegalArgumentException(schema.name() + "." + name + ": a huge list has columns for the fields "
                    + "of nested records, but " + property.javaType().getName() + " is none");
        }
        if (open.contains(nested.type())) {
            throw new IllegalArgumentException(schema.name() + "." + name + ": "
                    + nested.type().getName() + " has itself as a field, which would take columns without end");
        }
        int first = widths.size();
        int presence = Column.NONE;
        if (property.field().isOptional()) {
            presence = first;
            widths.add(Width.BIT);
        }
        List<Node> nodes = nodes(nested, name + ".", presence == Column.NONE ? around : presence, open);
        return new Group(property, name, nodes, presence, first, widths.size());
    }
}
