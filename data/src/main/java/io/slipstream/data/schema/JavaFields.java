package io.slipstream.data.schema;

import io.slipstream.data.annotation.Name;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the fields of a type: those of a record as they are declared, all others by name, as Java keeps no order of
 * them.
 */
final class JavaFields {
    private JavaFields() {}

    static List<JavaField> of(Class<?> type, Schema.Kind kind) {
        return switch (kind) {
            case RECORD -> ofRecord(type);
            case INTERFACE -> ofInterface(type);
            case CLASS -> ofClass(type);
            case UNION -> List.of();
        };
    }

    private static String name(AnnotatedElement element, String inJava) {
        Name given = element.getAnnotation(Name.class);
        return given == null ? inJava : given.value();
    }

    private static List<JavaField> ofRecord(Class<?> type) {
        List<JavaField> fields = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            fields.add(new JavaField(
                    name(component, component.getName()),
                    component.getType(),
                    component.getGenericType(),
                    component.getAccessor(),
                    null,
                    component));
        }
        return fields;
    }

    private static List<JavaField> ofClass(Class<?> type) {
        List<JavaField> fields = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers) || Modifier.isTransient(modifiers) || field.isSynthetic()) {
                    continue;
                }
                if (Modifier.isFinal(modifiers)) {
                    throw new SchemaException(type.getName() + "." + field.getName()
                            + ": final, so it cannot be read from bytes; make it not final,"
                            + " or transient, or use a record");
                }
                fields.add(new JavaField(
                        name(field, field.getName()), field.getType(), field.getGenericType(), field, field, field));
            }
        }
        fields.sort(Comparator.comparing(JavaField::name));
        return fields;
    }

    private static List<JavaField> ofInterface(Class<?> type) {
        Map<String, Method> getters = new TreeMap<>();
        Map<String, Method> setters = new TreeMap<>();
        for (Method method : type.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !isOfObject(method)) {
                String name = propertyName(method);
                if (method.getParameterCount() == 0 && method.getReturnType() != void.class) {
                    getters.merge(name, method, (a, b) -> narrower(type, name, a, b));
                } else if (method.getParameterCount() == 1 && isSetter(type, method)) {
                    if (setters.put(name, method) != null) {
                        throw new SchemaException(type.getName() + "." + name + ": has two setters; keep one");
                    }
                } else {
                    throw new SchemaException(type.getName() + "." + method.getName()
                            + ": is neither a getter nor a setter; make it a default method");
                }
            }
        }
        return pairs(type, getters, setters);
    }

    private static List<JavaField> pairs(Class<?> type, Map<String, Method> getters, Map<String, Method> setters) {
        List<JavaField> fields = new ArrayList<>();
        Collection<String> unused = new ArrayList<>(setters.keySet());
        for (Map.Entry<String, Method> entry : getters.entrySet()) {
            Method getter = entry.getValue();
            Method setter = setters.get(entry.getKey());
            unused.remove(entry.getKey());
            if (setter != null && setter.getParameterTypes()[0] != getter.getReturnType()) {
                throw new SchemaException(type.getName() + "." + entry.getKey() + ": the getter says "
                        + getter.getReturnType().getSimpleName() + ", the setter "
                        + setter.getParameterTypes()[0].getSimpleName());
            }
            fields.add(new JavaField(
                    name(getter, entry.getKey()),
                    getter.getReturnType(),
                    getter.getGenericReturnType(),
                    getter,
                    (Member) setter,
                    getter));
        }
        if (!unused.isEmpty()) {
            throw new SchemaException(
                    type.getName() + "." + unused.iterator().next() + ": has a setter, but no getter");
        }
        fields.sort(Comparator.comparing(JavaField::name));
        return fields;
    }

    private static boolean isSetter(Class<?> type, Method method) {
        Class<?> returned = method.getReturnType();
        return returned == void.class || returned.isAssignableFrom(type) && returned != Object.class;
    }

    private static Method narrower(Class<?> type, String name, Method a, Method b) {
        if (!a.getName().equals(b.getName())) {
            throw new SchemaException(type.getName() + "." + name + ": has two getters; keep one");
        }
        return a.getReturnType().isAssignableFrom(b.getReturnType()) ? b : a;
    }

    /**
     * {@code getPrice}, {@code setPrice} and {@code isPrice} are of the property {@code price}, and so is {@code
     * price}.
     */
    private static String propertyName(Method method) {
        String name = method.getName();
        int prefix = name.startsWith("get") || name.startsWith("set") ? 3 : name.startsWith("is") ? 2 : 0;
        if (prefix == 0 || name.length() == prefix || !Character.isUpperCase(name.charAt(prefix))) {
            return name;
        }
        return Character.toLowerCase(name.charAt(prefix)) + name.substring(prefix + 1);
    }

    private static boolean isOfObject(Method method) {
        return switch (method.getName()) {
            case "toString", "hashCode" -> method.getParameterCount() == 0;
            case "equals" -> method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object.class;
            default -> false;
        };
    }
}
