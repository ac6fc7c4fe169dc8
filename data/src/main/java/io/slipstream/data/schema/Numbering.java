package io.slipstream.data.schema;

import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Removed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gives fields their numbers: those with {@link Id} that one, all others the next that is free, version by version. */
final class Numbering {
    private Numbering() {}

    static List<Field> fields(Class<?> type, String name, List<JavaField> found, TypeMapping types) {
        Removed[] removed = type.getAnnotationsByType(Removed.class);
        Set<Integer> taken = new HashSet<>();
        for (Removed gone : removed) {
            taken.add(gone.id());
        }
        for (JavaField java : found) {
            Id id = java.annotation(Id.class);
            if (id != null) {
                taken.add(id.value());
            }
        }
        List<Field> fields = new ArrayList<>();
        for (Removed gone : removed) {
            TypeParser.Parsed parsed = TypeParser.parseRemoved(gone.type(), name + "." + gone.name());
            fields.add(Field.of(
                    gone.id(), gone.name(), parsed.type(), parsed.isOptional(), gone.since(), gone.in(), null));
        }
        List<JavaField> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(JavaField::since));
        int next = 1;
        for (JavaField java : sorted) {
            Id given = java.annotation(Id.class);
            while (given == null && taken.contains(next)) {
                next++;
            }
            Default value = java.annotation(Default.class);
            fields.add(Field.of(
                    given == null ? next++ : given.value(),
                    java.name(),
                    types.map(java, name),
                    types.isOptional(java, name),
                    java.since(),
                    0,
                    value == null ? null : value.value()));
        }
        return fields;
    }
}
