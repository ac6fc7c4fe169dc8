package io.slipstream.data.codec;

import static java.lang.constant.ConstantDescs.CD_void;

import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Generates the class of which decoded values of an interface are: a field for each property. */
final class BeanGenerator {
    private final Schema<?> schema;
    private final ClassDesc self;
    private final Constants constants = new Constants();
    private final BeanText text;

    private BeanGenerator(Schema<?> schema, ClassDesc self, List<Accessor> accessors) {
        this.schema = schema;
        this.self = self;
        this.text = new BeanText(schema.type(), schema.name(), accessors);
    }

    static Access generate(Schema<?> schema, MethodHandles.Lookup lookup, List<Accessor> accessors, int maxLength)
            throws IllegalAccessException, NoSuchMethodException, NoSuchFieldException {
        Host host = Host.of(schema, lookup);
        BeanGenerator generator =
                new BeanGenerator(schema, host.name("Generated" + schema.type().getSimpleName()), accessors);
        byte[] bytes = ClassFile.of().build(generator.self, generator::type);
        MethodHandles.Lookup hidden = host.define(bytes, generator.constants.objects());
        List<Accessor> settable = new ArrayList<>();
        for (Accessor accessor : accessors) {
            MethodHandle setter = hidden.findSetter(
                    hidden.lookupClass(),
                    accessor.property().name(),
                    accessor.property().javaType());
            settable.add(new Accessor(accessor.property(), accessor.getter(), AccessBuilder.erased(setter)));
        }
        MethodHandle constructor = hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class));
        return new Access(settable, AccessBuilder.erased(constructor), new int[0], maxLength);
    }

    private void type(ClassBuilder type) {
        MethodTypeDesc nothing = MethodTypeDesc.of(CD_void);
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withInterfaceSymbols(Emitter.desc(schema.type()));
        type.withMethodBody(
                "<init>",
                nothing,
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0)
                        .invokespecial(ConstantDescs.CD_Object, "<init>", nothing)
                        .return_());
        for (Property property : schema.properties()) {
            property(type, property);
        }
        type.withMethodBody(
                "equals",
                MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object),
                ClassFile.ACC_PUBLIC,
                code -> {
                    constants.load(code, text, BiPredicate.class);
                    code.aload(0)
                            .aload(1)
                            .invokeinterface(
                                    Emitter.desc(BiPredicate.class),
                                    "test",
                                    MethodTypeDesc.of(
                                            ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                            .ireturn();
                });
        type.withMethodBody("hashCode", MethodTypeDesc.of(ConstantDescs.CD_int), ClassFile.ACC_PUBLIC, code -> {
            constants.load(code, text, ToIntFunction.class);
            code.aload(0)
                    .invokeinterface(
                            Emitter.desc(ToIntFunction.class),
                            "applyAsInt",
                            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_Object))
                    .ireturn();
        });
        type.withMethodBody("toString", MethodTypeDesc.of(ConstantDescs.CD_String), ClassFile.ACC_PUBLIC, code -> {
            constants.load(code, text, Function.class);
            code.aload(0)
                    .invokeinterface(
                            Emitter.desc(Function.class),
                            "apply",
                            MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                    .checkcast(ConstantDescs.CD_String)
                    .areturn();
        });
    }

    private void property(ClassBuilder type, Property property) {
        ClassDesc desc = Emitter.desc(property.javaType());
        type.withField(property.name(), desc, 0);
        Method getter = (Method) property.getter();
        type.withMethodBody(
                getter.getName(),
                FlyweightGenerator.descriptor(getter),
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0).getfield(self, property.name(), desc).return_(Emitter.kind(property.javaType())));
        if (property.setter() instanceof Method setter) {
            type.withMethodBody(setter.getName(), FlyweightGenerator.descriptor(setter), ClassFile.ACC_PUBLIC, code -> {
                code.aload(0).loadLocal(Emitter.kind(property.javaType()), 1).putfield(self, property.name(), desc);
                if (setter.getReturnType() == void.class) {
                    code.return_();
                } else {
                    code.aload(0).areturn();
                }
            });
        }
    }
}
