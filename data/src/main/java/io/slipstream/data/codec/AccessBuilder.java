package io.slipstream.data.codec;

import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the method handles with which values of a type are made and read. */
final class AccessBuilder {
    private final Schema<?> schema;
    private final MethodHandles.Lookup lookup;

    private AccessBuilder(Schema<?> schema, MethodHandles.Lookup lookup) {
        this.schema = schema;
        this.lookup = Lookups.in(schema.type(), lookup);
    }

    static Access build(Schema<?> schema, MethodHandles.Lookup lookup) {
        try {
            return new AccessBuilder(schema, lookup).build(lookup);
        } catch (IllegalAccessException e) {
            throw Lookups.unreachable(schema.type(), e);
        } catch (NoSuchMethodException | NoSuchFieldException e) {
            throw new IllegalStateException(schema.name(), e);
        }
    }

    private Access build(MethodHandles.Lookup given)
            throws IllegalAccessException, NoSuchMethodException, NoSuchFieldException {
        int max = MaxLength.of(schema);
        return switch (schema.kind()) {
            case RECORD -> new Access(accessors(), erased(recordConstructor()), arguments(), max);
            case CLASS ->
                new Access(
                        accessors(),
                        erased(lookup.findConstructor(schema.type(), MethodType.methodType(void.class))),
                        new int[0],
                        max);
            case INTERFACE -> BeanGenerator.generate(schema, given, accessors(), max);
            case UNION -> throw new IllegalArgumentException("a union has no accessors");
        };
    }

    private List<Accessor> accessors() throws IllegalAccessException {
        List<Accessor> accessors = new ArrayList<>();
        for (Property property : schema.properties()) {
            accessors.add(new Accessor(property, erased(getter(property.getter())), setter(property.setter())));
        }
        return accessors;
    }

    private MethodHandle getter(Member member) throws IllegalAccessException {
        return member instanceof Field field ? lookup.unreflectGetter(field) : lookup.unreflect((Method) member);
    }

    private @Nullable MethodHandle setter(@Nullable Member member) throws IllegalAccessException {
        if (member == null) {
            return null;
        }
        MethodHandle setter =
                member instanceof Field field ? lookup.unreflectSetter(field) : lookup.unreflect((Method) member);
        return erased(setter.asType(setter.type().changeReturnType(void.class)));
    }

    private MethodHandle recordConstructor() throws IllegalAccessException, NoSuchMethodException {
        MethodType type = MethodType.methodType(void.class);
        for (RecordComponent component : schema.type().getRecordComponents()) {
            type = type.appendParameterTypes(component.getType());
        }
        return lookup.findConstructor(schema.type(), type);
    }

    private int[] arguments() {
        List<Property> properties = schema.properties();
        RecordComponent[] components = schema.type().getRecordComponents();
        int[] arguments = new int[components.length];
        for (int i = 0; i < components.length; i++) {
            for (int j = 0; j < properties.size(); j++) {
                if (properties.get(j).getter().equals(components[i].getAccessor())) {
                    arguments[i] = j;
                }
            }
        }
        return arguments;
    }

    /** Replaces all reference types by {@code Object}. */
    static MethodHandle erased(MethodHandle handle) {
        return handle.asType(handle.type().erase());
    }
}
