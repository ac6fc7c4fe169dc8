package io.slipstream.data.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Refuses definitions of which no value can be finite: a record that must hold another of itself, and so on. */
final class EndlessCycles {
    private EndlessCycles() {}

    static void refuse(List<Definition> definitions) {
        Set<String> finite = new HashSet<>();
        Map<String, Field> blocked = new HashMap<>();
        boolean isMoving = true;
        while (isMoving) {
            isMoving = false;
            for (Definition definition : definitions) {
                if (!finite.contains(definition.name()) && isFinite(definition, finite, blocked)) {
                    isMoving = finite.add(definition.name());
                }
            }
        }
        for (Definition definition : definitions) {
            Field field = blocked.get(definition.name());
            if (!finite.contains(definition.name()) && field != null) {
                throw new SchemaException(definition.name() + "." + field.name() + ": a cycle without an end, as every "
                        + TypeText.of(field.type())
                        + " would hold another; mark the field @Optional, or make it a List");
            }
        }
    }

    private static boolean isFinite(Definition definition, Set<String> finite, Map<String, Field> blocked) {
        if (definition.isUnion()) {
            return definition.variants().stream().anyMatch(finite::contains);
        }
        for (Field field : definition.fields()) {
            if (!field.isOptional()
                    && !field.isRemoved()
                    && field.type() instanceof Type.Reference(String target)
                    && !finite.contains(target)) {
                blocked.put(definition.name(), field);
                return false;
            }
        }
        return true;
    }
}
