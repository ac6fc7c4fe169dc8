package io.slipstream.http.openapi;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** JSON Schema of what the codec's JSON looks like. */
final class JsonSchemas {
    private static final String PLACE = "#/components/schemas/";

    private JsonSchemas() {}

    /** Adds a schema for each definition. */
    static void addAll(Definitions definitions, Map<String, Object> schemas) {
        Set<String> variants = definitions.all().stream()
                .filter(Definition::isUnion)
                .flatMap(union -> union.variants().stream())
                .collect(Collectors.toSet());
        Set<String> alone = alone(definitions);
        for (Definition definition : definitions.all()) {
            String name = definition.name();
            schemas.computeIfAbsent(name, _ -> of(definition, variants.contains(name), alone.contains(name)));
        }
    }

    /** Returns what is used by its own name: there a variant has no {@code @type}. */
    private static Set<String> alone(Definitions definitions) {
        Set<String> names = new HashSet<>();
        names.add(definitions.all().getFirst().name());
        definitions.all().stream()
                .flatMap(each -> each.fields().stream())
                .map(field -> field.type() instanceof Type.Sequence(Type element, int _) ? element : field.type())
                .forEach(type -> {
                    if (type instanceof Type.Reference(String name)) {
                        names.add(name);
                    }
                });
        return names;
    }

    static Map<String, Object> reference(String name) {
        return Map.of("$ref", PLACE + name);
    }

    private static Map<String, Object> of(Definition definition, boolean isVariant, boolean isAlone) {
        Map<String, Object> schema = new LinkedHashMap<>();
        if (definition.isUnion()) {
            schema.put(
                    "oneOf",
                    definition.variants().stream().map(JsonSchemas::reference).toList());
            Map<String, Object> places = new LinkedHashMap<>();
            definition.variants().forEach(name -> places.put(name, PLACE + name));
            schema.put("discriminator", Map.of("propertyName", "@type", "mapping", places));
            schema.put("description", "Begins with \"@type\", the name of the record.");
            return schema;
        }
        List<Field> fields =
                definition.fields().stream().filter(field -> !field.isRemoved()).toList();
        Map<String, Object> properties = new LinkedHashMap<>();
        if (isVariant) {
            properties.put("@type", Map.of("const", definition.name()));
        }
        fields.forEach(field -> properties.put(field.name(), of(field.type())));
        schema.put("type", "object");
        schema.put("properties", properties);
        List<String> required = new ArrayList<>();
        if (isVariant && !isAlone) {
            required.add("@type");
        }
        fields.stream().filter(field -> !field.isOptional()).map(Field::name).forEach(required::add);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, Object> of(Type type) {
        return switch (type) {
            case Type.Scalar scalar -> scalar(scalar);
            case Type.Decimal(int scale) -> Map.of("type", "number", "description", "with " + scale + " decimals");
            case Type.Enumeration e -> Map.of("type", "string", "enum", e.constants());
            case Type.Text(int maxBytes) ->
                maxBytes == 0
                        ? Map.of("type", "string")
                        : Map.of("type", "string", "description", "at most " + maxBytes + " bytes of UTF-8");
            case Type.Array(Type.Scalar element, int maxLength, boolean isExact) ->
                element == Type.Scalar.BYTE
                        ? Map.of("type", "string", "contentEncoding", "base64")
                        : array(scalar(element), isExact ? maxLength : 0, maxLength);
            case Type.Sequence(Type element, int maxLength) -> array(of(element), 0, maxLength);
            case Type.Reference(String name) -> reference(name);
        };
    }

    /** As in a {@link Type}, a greatest length of 0 is none. */
    private static Map<String, Object> array(Map<String, Object> items, int least, int most) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "array");
        schema.put("items", items);
        schema.put("minItems", least);
        if (most > 0) {
            schema.put("maxItems", most);
        }
        return schema;
    }

    private static Map<String, Object> scalar(Type.Scalar scalar) {
        return switch (scalar) {
            case BOOLEAN -> Map.of("type", "boolean");
            case BYTE -> whole(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SHORT -> whole(Short.MIN_VALUE, Short.MAX_VALUE);
            case INT ->
                Map.of(
                        "type",
                        "integer",
                        "format",
                        "int32",
                        "minimum",
                        Integer.MIN_VALUE,
                        "maximum",
                        Integer.MAX_VALUE);
            case LONG ->
                Map.of("type", "integer", "format", "int64", "minimum", Long.MIN_VALUE, "maximum", Long.MAX_VALUE);
            case CHAR -> Map.of("type", "string", "minLength", 1, "maxLength", 1);
            case FLOAT -> Map.of("type", List.of("number", "string"), "format", "float");
            case DOUBLE -> Map.of("type", List.of("number", "string"), "format", "double");
            case INSTANT -> Map.of("type", "string", "format", "date-time");
            case DURATION -> Map.of("type", "string", "format", "duration");
            case DATE -> Map.of("type", "string", "format", "date");
            case UUID -> Map.of("type", "string", "format", "uuid");
        };
    }

    private static Map<String, Object> whole(int least, int most) {
        return Map.of("type", "integer", "minimum", least, "maximum", most);
    }
}
