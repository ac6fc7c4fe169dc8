package io.slipstream.data.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code equals}, {@code hashCode} and {@code toString} of decoded values of an interface: as of a record with its
 * properties.
 */
record BeanText(Class<?> type, String name, List<Accessor> accessors)
        implements BiPredicate<Object, Object>, ToIntFunction<Object>, Function<Object, String> {
    private List<@Nullable Object> values(Object bean) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Accessor accessor : accessors) {
            values.add(accessor.get(bean));
        }
        return values;
    }

    @Override
    public boolean test(Object bean, Object other) {
        return type.isInstance(other)
                && Arrays.deepEquals(values(bean).toArray(), values(other).toArray());
    }

    @Override
    public int applyAsInt(Object bean) {
        return Arrays.deepHashCode(values(bean).toArray());
    }

    @Override
    public String apply(Object bean) {
        StringBuilder text = new StringBuilder(name).append('[');
        String separator = "";
        for (Accessor accessor : accessors) {
            String value = Arrays.deepToString(new @Nullable Object[] {accessor.get(bean)});
            text.append(separator)
                    .append(accessor.property().name())
                    .append('=')
                    .append(value, 1, value.length() - 1);
            separator = ", ";
        }
        return text.append(']').toString();
    }
}
