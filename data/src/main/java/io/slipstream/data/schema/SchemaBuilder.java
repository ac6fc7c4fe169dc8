package io.slipstream.data.schema;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Name;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the schema of a type and of all types that it refers to. */
final class SchemaBuilder {
    private final Map<Class<?>, Schema<?>> graph = new LinkedHashMap<>();
    private final Map<String, Class<?>> names = new LinkedHashMap<>();

    private SchemaBuilder() {}

    static Schema<?> build(Class<?> type) {
        SchemaBuilder builder = new SchemaBuilder();
        builder.refer(type, type.getTypeName());
        Schema<?> schema = Objects.requireNonNull(builder.graph.get(type));
        EndlessCycles.refuse(schema.definitions().all());
        return schema;
    }

    /** Returns the name of a type's definition, which is made unless it is there. */
    String refer(Class<?> type, String where) {
        String name = name(type);
        if (take(name, type, where)) {
            graph.put(type, make(type, name, where));
        }
        return name;
    }

    /** Returns the name of an enum, which no other type has. */
    String nameOfEnum(Class<?> type, String where) {
        String name = name(type);
        take(name, type, where);
        return name;
    }

    /** Gives a name to a type; returns whether it is new. */
    private boolean take(String name, Class<?> type, String where) {
        Class<?> other = names.putIfAbsent(name, type);
        if (other != null && other != type) {
            throw new SchemaException(where + ": " + type.getName() + " and " + other.getName() + " are both named "
                    + name
                    + "; give one of them @Name");
        }
        return other == null;
    }

    private static String name(Class<?> type) {
        Name given = type.getAnnotation(Name.class);
        return given == null ? type.getSimpleName() : given.value();
    }

    private static int id(Class<?> type, String name) {
        Id given = type.getAnnotation(Id.class);
        return given == null ? 256 + Fingerprint.of(name) % (Definition.MAX_NUMBER - 255) : given.value();
    }

    private <T> Schema<T> make(Class<T> type, String name, String where) {
        Map<Class<?>, Schema<?>> all = Collections.unmodifiableMap(graph);
        Schema.Kind kind = kind(type, where);
        if (kind == Schema.Kind.UNION) {
            Definition definition = Definition.ofVariants(name, id(type, name), variants(type));
            return new Schema<>(type, kind, definition, List.of(), all);
        }
        List<JavaField> found = JavaFields.of(type, kind);
        if (found.isEmpty() && kind != Schema.Kind.RECORD) {
            throw new SchemaException(where + ": " + type.getName() + " has no fields");
        }
        TypeMapping types = new TypeMapping(this);
        List<Field> fields = Numbering.fields(type, name, found, types);
        Definition definition = Definition.of(name, id(type, name), fields);
        List<Property> properties = new ArrayList<>();
        for (Field field : definition.fields()) {
            JavaField java = field.isRemoved() ? null : find(found, field.name());
            if (java != null) {
                properties.add(new Property(field, java.type(), java.genericType(), java.getter(), java.setter()));
            }
        }
        return new Schema<>(type, kind, definition, properties, all);
    }

    private static @Nullable JavaField find(List<JavaField> fields, String name) {
        return fields.stream().filter(f -> f.name().equals(name)).findFirst().orElse(null);
    }

    private static Schema.Kind kind(Class<?> type, String where) {
        String what = where + ": " + type.getTypeName();
        if (type.isPrimitive()
                || type.isArray()
                || type.isEnum()
                || type.getName().startsWith("java.")) {
            throw new SchemaException(what
                    + " is not a type that a schema knows; use a primitive or its box, String, an enum,"
                    + " BigDecimal or long with @Scale, Instant, Duration, LocalDate, UUID,"
                    + " an array of primitives, a List,"
                    + " or a record, interface or class of such fields");
        }
        if (type.getTypeParameters().length != 0) {
            throw new SchemaException(what + " has type parameters; a schema needs all types");
        }
        if (type.isRecord()) {
            return Schema.Kind.RECORD;
        }
        if (type.isInterface()) {
            return type.isSealed() ? Schema.Kind.UNION : Schema.Kind.INTERFACE;
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new SchemaException(what + " is abstract; use a sealed interface of records");
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 0) {
                return Schema.Kind.CLASS;
            }
        }
        throw new SchemaException(what + " has no constructor without parameters; add one, or make it a record");
    }

    private List<String> variants(Class<?> sealed) {
        List<String> variants = new ArrayList<>();
        Map<Integer, String> ids = new LinkedHashMap<>();
        for (Class<?> variant : leaves(sealed)) {
            String name = refer(variant, sealed.getName());
            int id = id(variant, name);
            String other = ids.putIfAbsent(id, name);
            if (other != null) {
                throw new SchemaException(sealed.getName() + ": " + name + " and " + other + " both have the id " + id
                        + "; give one of them @Id");
            }
            variants.add(name);
        }
        return variants;
    }

    private static List<Class<?>> leaves(Class<?> sealed) {
        List<Class<?>> leaves = new ArrayList<>();
        for (Class<?> permitted : sealed.getPermittedSubclasses()) {
            if (permitted.isRecord()) {
                leaves.add(permitted);
            } else if (permitted.isInterface() && permitted.isSealed()) {
                leaves.addAll(leaves(permitted));
            } else {
                throw new SchemaException(sealed.getName() + ": " + permitted.getName()
                        + " is no record; all that a sealed interface permits must be records");
            }
        }
        return leaves;
    }
}
