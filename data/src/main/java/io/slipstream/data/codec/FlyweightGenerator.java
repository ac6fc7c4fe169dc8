package io.slipstream.data.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.slipstream.data.host.Defaults;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.wire.FixedSlot;
import io.slipstream.data.wire.Input;
import io.slipstream.data.wire.PartSlot;
import io.slipstream.data.wire.Slot;
import io.slipstream.data.wire.Struct;
import io.slipstream.data.wire.View;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Generates the class of a flyweight: the user's interface over the bytes that a {@link View} knows. */
final class FlyweightGenerator {
    private static final ClassDesc VIEW = Emitter.desc(View.class);
    private static final ClassDesc INPUT = Emitter.desc(Input.class);
    private static final MethodTypeDesc CONSTRUCTOR = MethodTypeDesc.of(CD_void, Emitter.desc(Struct.class));

    private static final MethodTypeDesc LOOK = MethodTypeDesc.of(CD_void, Emitter.MEMORY, CD_long, CD_int);
    private static final MethodTypeDesc LOOK_WITH_CONSTANTS =
            MethodTypeDesc.of(CD_void, Emitter.MEMORY, CD_long, CD_int, CD_long, CD_int);

    private final Schema<?> schema;
    private final List<@Nullable Slot> slots;
    private final ClassDesc self;
    private final Constants constants = new Constants();

    private FlyweightGenerator(Schema<?> schema, List<@Nullable Slot> slots, ClassDesc self) {
        this.schema = schema;
        this.slots = slots;
        this.self = self;
    }

    static <T> FlyweightMaker<T> maker(Schema<T> schema, List<@Nullable Slot> slots, MethodHandles.Lookup lookup) {
        if (schema.kind() != Schema.Kind.INTERFACE) {
            return new FlyweightMaker<>(MethodHandles.empty(MethodType.methodType(View.class, Struct.class)));
        }
        Host host = Host.of(schema, lookup);
        FlyweightGenerator generator = new FlyweightGenerator(schema, slots, host.name("GeneratedFlyweight"));
        byte[] bytes = ClassFile.of().build(generator.self, generator::type);
        MethodHandles.Lookup hidden = host.define(bytes, generator.constants.objects());
        try {
            MethodHandle constructor =
                    hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class, Struct.class));
            return new FlyweightMaker<>(constructor.asType(MethodType.methodType(View.class, Struct.class)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the flyweight of " + schema.name() + " could not be generated", e);
        }
    }

    private void type(ClassBuilder type) {
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                .withSuperclass(VIEW)
                .withInterfaceSymbols(Emitter.desc(schema.type()));
        type.withMethodBody(
                "<init>",
                CONSTRUCTOR,
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0)
                        .aload(1)
                        .invokespecial(VIEW, "<init>", CONSTRUCTOR)
                        .return_());
        for (String name : List.of("$wrap", "$begin")) {
            type.withMethodBody(
                    name,
                    LOOK,
                    ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL,
                    code -> code.aload(0)
                            .aload(1)
                            .lload(2)
                            .iload(4)
                            .loadConstant(schema.definition().header())
                            .loadConstant(schema.definition().version())
                            .invokevirtual(self, name, LOOK_WITH_CONSTANTS)
                            .return_());
        }
        for (int i = 0; i < schema.properties().size(); i++) {
            Property property = schema.properties().get(i);
            Slot slot = slots.get(i);
            Method getter = (Method) property.getter();
            type.withMethodBody(
                    getter.getName(), descriptor(getter), ClassFile.ACC_PUBLIC, code -> getter(code, property, slot));
            if (property.setter() instanceof Method setter) {
                type.withMethodBody(
                        setter.getName(),
                        descriptor(setter),
                        ClassFile.ACC_PUBLIC,
                        code -> setter(code, property, slot, setter));
            }
        }
    }

    static MethodTypeDesc descriptor(Method method) {
        return MethodTypeDesc.ofDescriptor(MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString());
    }

    private CodeBuilder memory(CodeBuilder code) {
        return code.aload(0).getfield(self, "$memory", Emitter.MEMORY).aload(0).getfield(self, "$block", CD_long);
    }

    private void getter(CodeBuilder code, Property property, @Nullable Slot slot) {
        Class<?> type = property.javaType();
        if (property.field().since() > 1) {
            Label isThere = code.newLabel();
            code.aload(0)
                    .getfield(self, "$version", CD_int)
                    .loadConstant(property.field().since())
                    .if_icmpge(isThere);
            Emitter.constant(code, constants, type, Defaults.of(schema.name(), property));
            cast(code, type).return_(Emitter.kind(type)).labelBinding(isThere);
        }
        if (slot == null) {
            memory(code).loadConstant((long) property.field().offset()).ladd();
            Emitter.get(code, type);
        } else if (slot instanceof FixedSlot) {
            constants.load(code, slot, FixedSlot.class);
            memory(code)
                    .loadConstant(Struct.HEADER_BYTES)
                    .invokevirtual(
                            Emitter.desc(FixedSlot.class),
                            "get",
                            MethodTypeDesc.of(CD_Object, Emitter.MEMORY, CD_long, CD_int));
        } else {
            constants.load(code, slot, PartSlot.class);
            code.aload(0)
                    .invokevirtual(self, "$input", MethodTypeDesc.of(INPUT))
                    .loadConstant(Struct.HEADER_BYTES)
                    .invokevirtual(Emitter.desc(PartSlot.class), "read", MethodTypeDesc.of(CD_Object, INPUT, CD_int));
        }
        cast(code, type).return_(Emitter.kind(type));
    }

    private static CodeBuilder cast(CodeBuilder code, Class<?> type) {
        return type.isPrimitive() ? code : code.checkcast(Emitter.desc(type));
    }

    private void setter(CodeBuilder code, Property property, @Nullable Slot slot, Method setter) {
        Class<?> type = property.javaType();
        if (property.field().since() > 1) {
            code.aload(0)
                    .loadConstant(property.field().since())
                    .loadConstant(property.name())
                    .invokevirtual(self, "$requireVersion", MethodTypeDesc.of(CD_void, CD_int, CD_String));
        }
        if (slot == null) {
            memory(code).loadConstant((long) property.field().offset()).ladd().loadLocal(Emitter.kind(type), 1);
            Emitter.put(code, type);
        } else if (slot instanceof FixedSlot) {
            constants.load(code, slot, FixedSlot.class);
            memory(code)
                    .aload(1)
                    .invokevirtual(
                            Emitter.desc(FixedSlot.class),
                            "put",
                            MethodTypeDesc.of(CD_void, Emitter.MEMORY, CD_long, CD_Object));
        } else {
            code.aload(0);
            constants.load(code, slot, PartSlot.class);
            code.aload(1)
                    .invokevirtual(
                            self, "$append", MethodTypeDesc.of(CD_void, Emitter.desc(PartSlot.class), CD_Object));
        }
        if (setter.getReturnType() != void.class) {
            code.aload(0).areturn();
        }
        code.return_();
    }
}
