package io.slipstream.data.codec;

import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import io.slipstream.data.wire.ArrayPart;
import io.slipstream.data.wire.Elements;
import io.slipstream.data.wire.Fixed;
import io.slipstream.data.wire.FixedArray;
import io.slipstream.data.wire.FixedDecimal;
import io.slipstream.data.wire.FixedEnum;
import io.slipstream.data.wire.FixedListPart;
import io.slipstream.data.wire.FixedScalar;
import io.slipstream.data.wire.FixedSlot;
import io.slipstream.data.wire.LateStruct;
import io.slipstream.data.wire.Part;
import io.slipstream.data.wire.PartListPart;
import io.slipstream.data.wire.PartSlot;
import io.slipstream.data.wire.Place;
import io.slipstream.data.wire.Slot;
import io.slipstream.data.wire.Struct;
import io.slipstream.data.wire.StructListPart;
import io.slipstream.data.wire.StructPart;
import io.slipstream.data.wire.TextPart;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds the codec of a schema and of all that it refers to. */
final class CodecBuilder {
    private final MethodHandles.Lookup lookup;
    private final Map<Class<?>, LateStruct> late = new HashMap<>();
    private final Map<Class<?>, Codec<?>> done = new HashMap<>();
    private final Schema<?> root;

    private CodecBuilder(Schema<?> root, MethodHandles.Lookup lookup) {
        this.root = root;
        this.lookup = lookup;
    }

    static <T> Codec<T> build(Schema<T> schema, MethodHandles.Lookup lookup) {
        return new CodecBuilder(schema, lookup).codec(schema);
    }

    @SuppressWarnings("unchecked")
    private <T> Codec<T> codec(Schema<T> schema) {
        late.put(schema.type(), new LateStruct(schema.definition()));
        Codec<T> codec;
        if (schema.kind() == Schema.Kind.UNION) {
            List<Codec<? extends T>> variants = new ArrayList<>();
            schema.variants().forEach(v -> variants.add(variant(v)));
            codec = new UnionCodec<>(schema, variants);
        } else {
            List<@Nullable Slot> slots = new ArrayList<>();
            for (Property property : schema.properties()) {
                slots.add(property.javaType().isPrimitive() ? null : slot(schema, property));
            }
            codec = CodecGenerator.generate(schema, AccessBuilder.build(schema, lookup), slots, lookup);
        }
        done.put(schema.type(), codec);
        codec.graph(Collections.unmodifiableMap(done));
        Objects.requireNonNull(late.get(schema.type())).target((Struct<Object>) codec);
        return codec;
    }

    @SuppressWarnings("unchecked")
    private <V> Codec<V> variant(Schema<V> schema) {
        Codec<?> known = done.get(schema.type());
        return known == null ? codec(schema) : (Codec<V>) known;
    }

    /**
     * Returns how a type that a field refers to is written: the codec, or what stands for it while it is being made.
     */
    @SuppressWarnings("unchecked")
    private Struct<Object> struct(Class<?> type) {
        Codec<?> known = done.get(type);
        if (known != null) {
            return (Struct<Object>) known;
        }
        LateStruct waiting = late.get(type);
        return waiting != null ? waiting : (Struct<Object>) codec(root.nested(type));
    }

    private Slot slot(Schema<?> schema, Property property) {
        io.slipstream.data.schema.Field field = property.field();
        Place place =
                new Place(schema.name() + "." + field.name(), field.offset(), field.presenceBit(), field.isOptional());
        Fixed fixed = fixed(field.type(), property.genericType());
        return fixed != null
                ? new FixedSlot(place, fixed)
                : new PartSlot(place, part(field.type(), property.genericType()));
    }

    private static @Nullable Fixed fixed(Type type, java.lang.reflect.Type java) {
        return switch (type) {
            case Type.Scalar scalar -> FixedScalar.of(scalar);
            case Type.Decimal(int scale) -> java == BigDecimal.class ? new FixedDecimal(scale) : FixedScalar.LONG;
            case Type.Enumeration e -> new FixedEnum(((Class<?>) java).getEnumConstants(), e.slotBytes() > 1);
            case Type.Array(Type.Scalar element, int length, boolean isExact) ->
                isExact ? new FixedArray(Elements.of(element), length) : null;
            default -> null;
        };
    }

    private Part part(Type type, java.lang.reflect.Type java) {
        return switch (type) {
            case Type.Text(int max) -> new TextPart(max);
            case Type.Array(Type.Scalar element, int max, boolean isExact) -> new ArrayPart(Elements.of(element), max);
            case Type.Reference r -> new StructPart(struct((Class<?>) java));
            case Type.Sequence(Type element, int max) ->
                list(element, max, ((ParameterizedType) java).getActualTypeArguments()[0]);
            default -> throw new IllegalArgumentException(type + " is fixed");
        };
    }

    private Part list(Type element, int max, java.lang.reflect.Type java) {
        Fixed fixed = fixed(element, java);
        if (fixed != null) {
            return new FixedListPart(fixed, max);
        }
        if (element instanceof Type.Reference && root.nested((Class<?>) java).kind() != Schema.Kind.UNION) {
            return new StructListPart(struct((Class<?>) java), max);
        }
        return new PartListPart(part(element, java), max);
    }
}
