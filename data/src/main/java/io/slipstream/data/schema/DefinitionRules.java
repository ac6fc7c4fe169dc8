package io.slipstream.data.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What numbers, names and versions of the fields of one definition must be. */
final class DefinitionRules {
    private DefinitionRules() {}

    /** Refuses what cannot be; {@code sorted} is in the order of the numbers. */
    static void check(String name, int id, List<Field> sorted) {
        number(name, "id", id);
        Map<Integer, String> ids = new HashMap<>();
        Set<String> names = new HashSet<>();
        Field before = null;
        for (Field field : sorted) {
            String where = name + "." + field.name();
            number(where, "id", field.id());
            number(where, "version", field.since());
            String other = ids.put(field.id(), field.name());
            if (other != null) {
                throw new SchemaException(where + ": id " + field.id() + " is also that of " + other
                        + "; give it one that no field has or had");
            }
            if (!names.add(field.name())) {
                throw new SchemaException(where + ": two fields have this name, or one that was removed had it;"
                        + " names stay reserved, so give it another");
            }
            if (before != null && before.since() > field.since()) {
                throw new SchemaException(where + ": id " + field.id() + " of version " + field.since()
                        + " stands behind id "
                        + before.id() + " (" + before.name() + ") of version " + before.since()
                        + "; a field that is added needs a higher id than all before it");
            }
            versions(where, field);
            before = field;
        }
    }

    private static void versions(String where, Field field) {
        if (field.isRemoved()) {
            number(where, "version", field.removedIn());
            if (field.removedIn() <= field.since()) {
                throw new SchemaException(where + ": removed in version " + field.removedIn()
                        + ", but added in version "
                        + field.since());
            }
            if (!field.isOptional() && field.type() instanceof Type.Reference) {
                throw new SchemaException(where + ": a record that is not optional cannot be removed, as older readers"
                        + " could not do without it");
            }
        } else if (field.since() > 1
                && !field.isOptional()
                && field.defaultText() == null
                && !hasEmptyValue(field.type())) {
            throw new SchemaException(where + ": added in version " + field.since()
                    + ", but bytes of earlier versions have no "
                    + "value for it; give it @Default or @Optional");
        }
    }

    /** Returns whether the type has a value that says nothing: zero, or none. */
    private static boolean hasEmptyValue(Type type) {
        return switch (type) {
            case Type.Scalar scalar -> scalar.isPrimitive();
            case Type.Decimal d -> true;
            case Type.Text t -> true;
            case Type.Array a -> true;
            case Type.Sequence s -> true;
            case Type.Enumeration e -> false;
            case Type.Reference r -> false;
        };
    }

    private static void number(String where, String what, int number) {
        if (number < 1 || number > Definition.MAX_NUMBER) {
            throw new SchemaException(
                    where + ": " + what + " " + number + " is not between 1 and " + Definition.MAX_NUMBER);
        }
    }
}
