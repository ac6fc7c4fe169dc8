package io.slipstream.data.evolution;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Type;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which definitions are gone for a good reason: only fields that were removed needed them. */
final class GoneRecords {
    private final Definitions before;
    private final Definitions after;

    private GoneRecords(Definitions before, Definitions after) {
        this.before = before;
        this.after = after;
    }

    /** Returns the names of definitions that {@code after} lacks and nothing which it keeps can meet in old bytes. */
    static Set<String> withFields(Definitions before, Definitions after) {
        return new GoneRecords(before, after).withFields();
    }

    private Set<String> withFields() {
        Set<String> removed = new HashSet<>();
        Set<String> needed = new HashSet<>();
        need(before.all().getFirst().name(), needed);
        for (Definition old : before.all()) {
            Definition young = after.find(old.name());
            if (young != null) {
                old.variants().forEach(variant -> need(variant, needed));
                for (Field field : old.fields()) {
                    need(target(field.type()), isRemoved(field, young) ? removed : needed);
                }
            }
        }
        removed.removeAll(needed);
        return removed;
    }

    private static boolean isRemoved(Field old, Definition young) {
        return old.isRemoved() || young.fields().stream().anyMatch(f -> f.id() == old.id() && f.isRemoved());
    }

    /** Adds a definition that is gone, and all those that are gone and that its own fields had. */
    private void need(@Nullable String name, Set<String> into) {
        Definition old = name == null ? null : before.find(name);
        if (old == null || after.find(old.name()) != null || !into.add(old.name())) {
            return;
        }
        old.variants().forEach(variant -> need(variant, into));
        old.fields().forEach(field -> need(target(field.type()), into));
    }

    private static @Nullable String target(Type type) {
        Type element = type;
        while (element instanceof Type.Sequence list) {
            element = list.element();
        }
        return element instanceof Type.Reference(String name) ? name : null;
    }
}
