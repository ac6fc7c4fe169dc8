package io.slipstream.data.schema;

import io.slipstream.data.annotation.Optional;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maps types of Java to those of schemas. */
final class TypeMapping {
    private static final Map<Class<?>, Type.Scalar> SCALARS = new HashMap<>();
    private static final Map<Class<?>, Type.Scalar> BOXES = new HashMap<>();

    static {
        for (Type.Scalar scalar : Type.Scalar.values()) {
            SCALARS.put(scalar.javaType(), scalar);
            if (scalar.isPrimitive()) {
                BOXES.put(MethodType.methodType(scalar.javaType()).wrap().returnType(), scalar);
            }
        }
    }

    private final SchemaBuilder builder;

    TypeMapping(SchemaBuilder builder) {
        this.builder = builder;
    }

    boolean isOptional(JavaField field, String owner) {
        boolean isMarked = field.annotation(Optional.class) != null;
        if (isMarked && field.type().isPrimitive()) {
            throw new SchemaException(owner + "." + field.name() + ": a primitive cannot be absent; use its box");
        }
        return isMarked || BOXES.containsKey(field.type());
    }

    Type map(JavaField field, String owner) {
        String where = owner + "." + field.name();
        Limits limits = Limits.of(field, where);
        Type type = map(field.genericType(), limits, where);
        limits.refuseUnused(where);
        return type;
    }

    private Type map(java.lang.reflect.Type java, Limits limits, String where) {
        if (java instanceof ParameterizedType list && list.getRawType() == List.class) {
            int max = limits.takeMaxLength();
            return new Type.Sequence(map(list.getActualTypeArguments()[0], limits, where), max);
        }
        if (java instanceof Class<?> type) {
            return map(type, limits, where);
        }
        throw new SchemaException(
                where + ": " + java.getTypeName() + " is not a type that a schema knows; use List of a type");
    }

    private Type map(Class<?> type, Limits limits, String where) {
        if (type == BigDecimal.class || (type == long.class || type == Long.class) && limits.hasScale()) {
            return new Type.Decimal(limits.takeScale(where));
        }
        Type.Scalar scalar = scalar(type);
        if (scalar != null) {
            return scalar;
        }
        if (type == String.class) {
            return new Type.Text(limits.takeMaxLength());
        }
        if (type.isArray() && type.getComponentType().isPrimitive()) {
            Type.Scalar element = Objects.requireNonNull(SCALARS.get(type.getComponentType()));
            int exact = limits.takeLength();
            return new Type.Array(element, exact == 0 ? limits.takeMaxLength() : exact, exact != 0);
        }
        if (type.isEnum()) {
            return enumeration(type, where);
        }
        return new Type.Reference(builder.refer(type, where));
    }

    private static Type.@Nullable Scalar scalar(Class<?> type) {
        Type.Scalar scalar = SCALARS.get(type);
        return scalar == null ? BOXES.get(type) : scalar;
    }

    private Type enumeration(Class<?> type, String where) {
        List<String> names = Arrays.stream(type.getEnumConstants())
                .map(c -> ((Enum<?>) c).name())
                .toList();
        if (names.isEmpty()) {
            throw new SchemaException(where + ": " + type.getName() + " has no constants");
        }
        return new Type.Enumeration(builder.nameOfEnum(type, where), names);
    }
}
