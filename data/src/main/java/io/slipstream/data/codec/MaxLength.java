package io.slipstream.data.codec;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import io.slipstream.data.wire.Header;
import java.util.HashSet;
import java.util.Set;

/** How long a value can get. */
final class MaxLength {
    private static final long UNLIMITED = Integer.MAX_VALUE;

    private final Definitions definitions;
    private final Set<String> open = new HashSet<>();

    private MaxLength(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Returns the most bytes of a value, or {@code Integer.MAX_VALUE} if there is no limit. */
    static int of(Schema<?> schema) {
        return (int) Math.min(UNLIMITED, new MaxLength(schema.definitions()).of(schema.definition()));
    }

    private long of(Definition definition) {
        return Header.BYTES + definition.blockBytes() + tail(definition);
    }

    private long tail(Definition definition) {
        if (!open.add(definition.name())) {
            return UNLIMITED;
        }
        long bytes = 0;
        for (Field field : definition.fields()) {
            bytes = Math.min(
                    UNLIMITED, bytes + (field.isRemoved() || field.type().isFixed() ? 0 : part(field.type())));
        }
        open.remove(definition.name());
        return bytes;
    }

    private long part(Type type) {
        return switch (type) {
            case Type.Text(int max) -> limited(1, max);
            case Type.Array(Type.Scalar element, int max, boolean isExact) -> limited(element.slotBytes(), max);
            case Type.Sequence(Type.Reference(String name), int max)
            when !definitions.get(name).isUnion() ->
                Header.BYTES + limited(definitions.get(name).blockBytes() + tail(definitions.get(name)), max);
            case Type.Sequence(Type element, int max) ->
                limited(element.slotBytes() + (element.isFixed() ? 0 : part(element)), max);
            case Type.Reference(String name) -> reference(definitions.get(name));
            default -> 0;
        };
    }

    private long reference(Definition definition) {
        return definition.isUnion()
                ? definition.variants().stream()
                        .mapToLong(v -> of(definitions.get(v)))
                        .max()
                        .orElse(0)
                : of(definition);
    }

    private static long limited(long each, int max) {
        return max == 0 || each >= UNLIMITED ? UNLIMITED : Math.min(UNLIMITED, Integer.BYTES + each * max);
    }
}
