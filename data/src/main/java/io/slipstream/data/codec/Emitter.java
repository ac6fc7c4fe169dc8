package io.slipstream.data.codec;

import io.slipstream.data.wire.Bytes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Pieces of bytecode that codecs, flyweights and beans have in common. */
final class Emitter {
    static final ClassDesc MEMORY = desc(MemorySegment.class);
    static final ClassDesc BYTES = desc(Bytes.class);

    private Emitter() {}

    static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    /**
     * Emits a call of a method handle whose arguments are on the stack, but for the handle itself, which is below them.
     */
    static void invokeExact(CodeBuilder code, MethodHandle handle) {
        code.invokevirtual(
                ConstantDescs.CD_MethodHandle,
                "invokeExact",
                MethodTypeDesc.ofDescriptor(handle.type().toMethodDescriptorString()));
    }

    /** Emits {@code Bytes.putX(memory, at, value)}. */
    static void put(CodeBuilder code, Class<?> primitive) {
        code.invokestatic(
                BYTES,
                "put" + suffix(primitive),
                MethodTypeDesc.of(ConstantDescs.CD_void, MEMORY, ConstantDescs.CD_long, desc(primitive)));
    }

    /** Emits {@code Bytes.getX(memory, at)}. */
    static void get(CodeBuilder code, Class<?> primitive) {
        code.invokestatic(
                BYTES, "get" + suffix(primitive), MethodTypeDesc.of(desc(primitive), MEMORY, ConstantDescs.CD_long));
    }

    private static String suffix(Class<?> primitive) {
        String name = primitive.getName();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Emits the load of a value that is known: a primitive, an object or null. */
    static void constant(CodeBuilder code, Constants constants, Class<?> type, @Nullable Object value) {
        if (value == null) {
            code.aconst_null();
        } else if (type.isPrimitive()) {
            primitive(code, value);
        } else {
            constants.load(code, value, Object.class);
        }
    }

    private static void primitive(CodeBuilder code, Object value) {
        switch (value) {
            case Boolean b -> code.loadConstant(b ? 1 : 0);
            case Character c -> code.loadConstant((int) c);
            case Byte b -> code.loadConstant((int) b);
            case Short s -> code.loadConstant((int) s);
            case Integer i -> code.loadConstant(i);
            case Long l -> code.loadConstant(l);
            case Float f -> code.loadConstant(f);
            case Double d -> code.loadConstant(d);
            default -> throw new IllegalArgumentException(value.getClass().getName());
        }
    }

    static TypeKind kind(Class<?> type) {
        return TypeKind.from(desc(type));
    }
}
