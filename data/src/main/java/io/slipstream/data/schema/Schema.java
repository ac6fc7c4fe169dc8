package io.slipstream.data.schema;

import io.slipstream.data.annotation.Scale;
import java.util.List;
import java.util.Map;

/**
 * A Java type and what its bytes look like. Immutable; any thread.
 *
 * <p>A schema is made of one of
 * <ul>
 * <li>a record: its components are the fields;
 * <li>a sealed interface of records: a value is one of them;
 * <li>an interface: {@code long price()} or {@code long getPrice()} is a field, {@code price(long)} or
 * {@code setPrice(long)} its setter;
 * <li>a class with a constructor without parameters: its fields that are neither static, transient nor final.
 * </ul>
 *
 * <p>Fields are of these types: primitives; their boxes, which may be null; {@code String}; enums; {@code BigDecimal}
 * or {@code long} with {@link Scale}; {@code Instant}, {@code Duration}, {@code LocalDate}, {@code UUID}; arrays of
 * primitives; {@code List} of any of these; and whatever a schema can be made of.
 *
 * @param <T> the Java type
 */
public final class Schema<T> {
    private static final ClassValue<Schema<?>> SCHEMAS = new ClassValue<>() {
        @Override
        protected Schema<?> computeValue(Class<?> type) {
            return SchemaBuilder.build(type);
        }
    };

    private final Class<T> type;
    private final Kind kind;
    private final Definition definition;
    private final List<Property> properties;
    private final Map<Class<?>, Schema<?>> graph;

    /** What a schema is made of. */
    public enum Kind {
        /** A record. */
        RECORD,
        /** A sealed interface of records. */
        UNION,
        /** An interface of getters and setters. */
        INTERFACE,
        /** A class of fields. */
        CLASS
    }

    Schema(Class<T> type, Kind kind, Definition definition, List<Property> properties, Map<Class<?>, Schema<?>> graph) {
        this.type = type;
        this.kind = kind;
        this.definition = definition;
        this.properties = List.copyOf(properties);
        this.graph = graph;
    }

    /**
     * Returns the schema of a type.
     *
     * @throws SchemaException if it has none: the message names the field and says what to do
     */
    @SuppressWarnings("unchecked")
    public static <T> Schema<T> of(Class<T> type) {
        return (Schema<T>) SCHEMAS.get(type);
    }

    /** Returns the Java type. */
    public Class<T> type() {
        return type;
    }

    /** Returns what kind of type that is. */
    public Kind kind() {
        return kind;
    }

    /** Returns what the bytes look like. */
    public Definition definition() {
        return definition;
    }

    /** Returns the name of the type in the schema. */
    public String name() {
        return definition.name();
    }

    /** Returns the number by which bytes name the type. */
    public int id() {
        return definition.id();
    }

    /** Returns the version, which counts from 1. */
    public int version() {
        return definition.version();
    }

    /** Returns the fields of the newest version with their places in Java, in the order of the bytes. */
    public List<Property> properties() {
        return properties;
    }

    /** Returns the field of this name. */
    public Property property(String name) {
        for (Property property : properties) {
            if (property.name().equals(name)) {
                return property;
            }
        }
        throw new IllegalArgumentException(name() + " has no field " + name + ", but "
                + properties.stream().map(Property::name).toList());
    }

    /** Returns the records of which a value is one, by their numbers; none unless this is a union. */
    public List<Schema<? extends T>> variants() {
        return graph.values().stream()
                .filter(s -> definition.variants().contains(s.name()))
                .sorted((a, b) -> Integer.compare(a.id(), b.id()))
                .<Schema<? extends T>>map(this::variant)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private Schema<? extends T> variant(Schema<?> schema) {
        return (Schema<? extends T>) schema;
    }

    /** Returns the schema of a type that a field of this one, or of one that it refers to, has. */
    @SuppressWarnings("unchecked")
    public <U> Schema<U> nested(Class<U> nested) {
        Schema<?> schema = graph.get(nested);
        if (schema == null) {
            throw new IllegalArgumentException(name() + " does not refer to " + nested.getName());
        }
        return (Schema<U>) schema;
    }

    /** Returns all definitions that are needed to read the bytes: this one first. */
    public Definitions definitions() {
        return Definitions.of(
                definition, graph.values().stream().map(Schema::definition).toList());
    }

    @Override
    public String toString() {
        return definitions().toString();
    }
}
