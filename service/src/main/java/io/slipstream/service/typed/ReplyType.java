package io.slipstream.service.typed;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Map;

/** Finds the {@code R} of a class that implements {@code Command<R>} or {@code Query<R>}, also by other interfaces. */
final class ReplyType {
    private ReplyType() {}

    static Class<?> of(Class<?> type, Class<?> marker) {
        if (find(type, marker, Map.of()) instanceof Class<?> found && found != Object.class) {
            return found;
        }
        throw new IllegalArgumentException(type.getName() + " does not say what its reply is; declare it as implements "
                + marker.getSimpleName() + "<Balance>, with the record of the reply");
    }

    private static Type find(Type from, Class<?> marker, Map<TypeVariable<?>, Type> known) {
        Map<TypeVariable<?>, Type> arguments = new HashMap<>(known);
        Class<?> raw;
        if (from instanceof ParameterizedType parameterized) {
            raw = (Class<?>) parameterized.getRawType();
            for (int i = 0; i < raw.getTypeParameters().length; i++) {
                Type argument = parameterized.getActualTypeArguments()[i];
                arguments.put(
                        raw.getTypeParameters()[i],
                        argument instanceof TypeVariable<?> variable
                                ? known.getOrDefault(variable, Object.class)
                                : argument);
            }
        } else {
            raw = (Class<?>) from;
        }
        if (raw == marker) {
            return arguments.getOrDefault(marker.getTypeParameters()[0], Object.class);
        }
        for (Type parent : raw.getGenericInterfaces()) {
            Type found = find(parent, marker, arguments);
            if (found != Object.class) {
                return found;
            }
        }
        return Object.class;
    }
}
