package io.slipstream.data.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.wire.FixedSlot;
import io.slipstream.data.wire.Input;
import io.slipstream.data.wire.Slot;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generates the class of a codec: a hidden class in this package, with one call for each field.
 *
 * <pre>
 *   int write(Object value, MemorySegment m, long base, int block, int end, int limit, int depth) {
 *       Bytes.putLong(m, base + block + 0, GET_ID.invokeExact(value));                 a primitive
 *       SIDE.put(m, base + block, GET_SIDE.invokeExact(value));                        a FixedSlot
 *       end = SYMBOL.write(GET_SYMBOL.invokeExact(value), m, base, block, end, ...);   a PartSlot
 *       return end;
 *   }
 * </pre>
 *
 * <p>The names in capitals are constants of the class. Long methods are cut, as the JIT compiler does not inline those
 * of more than 325 bytes.
 */
final class CodecGenerator {
    /** Fields a method: about 16 bytes of code are one field. */
    private static final int FIELDS_A_METHOD = 16;

    private static final ClassDesc SELF = ClassDesc.of(CodecGenerator.class.getPackageName(), "GeneratedCodec");
    private static final ClassDesc CODEC = Emitter.desc(Codec.class);
    private static final ClassDesc INPUT = Emitter.desc(Input.class);
    private static final ClassDesc SCHEMA = Emitter.desc(Schema.class);
    private static final ClassDesc ACCESS = Emitter.desc(Access.class);
    private static final ClassDesc FLYWEIGHT = Emitter.desc(Flyweight.class);
    private static final MethodTypeDesc WRITE =
            MethodTypeDesc.of(CD_int, CD_Object, Emitter.MEMORY, CD_long, CD_int, CD_int, CD_int, CD_int);
    private static final MethodTypeDesc TAIL = MethodTypeDesc.of(CD_int, CD_Object, CD_int);
    private static final MethodTypeDesc READ = MethodTypeDesc.of(CD_Object, INPUT, CD_int, CD_int);
    private static final MethodTypeDesc READ_INTO = MethodTypeDesc.of(CD_void, CD_Object, INPUT, CD_int, CD_int);
    private static final MethodTypeDesc CONSTRUCTOR = MethodTypeDesc.of(CD_void, SCHEMA, ACCESS);

    private final Schema<?> schema;
    private final Access access;
    private final List<@Nullable Slot> slots;
    private final Constants constants = new Constants();

    private CodecGenerator(Schema<?> schema, Access access, List<@Nullable Slot> slots) {
        this.schema = schema;
        this.access = access;
        this.slots = slots;
    }

    @SuppressWarnings("unchecked")
    static <T> Codec<T> generate(
            Schema<T> schema, Access access, List<@Nullable Slot> slots, MethodHandles.Lookup lookup) {
        CodecGenerator generator = new CodecGenerator(schema, access, slots);
        FlyweightMaker<T> flyweights = FlyweightGenerator.maker(schema, slots, lookup);
        byte[] bytes = ClassFile.of().build(SELF, builder -> generator.type(builder, flyweights));
        try {
            MethodHandles.Lookup hidden =
                    MethodHandles.lookup().defineHiddenClassWithClassData(bytes, generator.constants.objects(), true);
            return (Codec<T>) hidden.findConstructor(
                            hidden.lookupClass(), MethodType.methodType(void.class, Schema.class, Access.class))
                    .invoke(schema, access);
        } catch (Throwable e) {
            throw new IllegalStateException("the codec of " + schema.name() + " could not be generated", e);
        }
    }

    private void type(ClassBuilder type, FlyweightMaker<?> flyweights) {
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withSuperclass(CODEC);
        type.withMethodBody(
                "<init>",
                CONSTRUCTOR,
                0,
                code -> code.aload(0)
                        .aload(1)
                        .aload(2)
                        .invokespecial(CODEC, "<init>", CONSTRUCTOR)
                        .return_());
        type.withMethodBody(
                "header",
                MethodTypeDesc.of(CD_long),
                ClassFile.ACC_PROTECTED,
                code -> code.loadConstant(schema.definition().header()).lreturn());
        type.withMethodBody(
                "blockBytes",
                MethodTypeDesc.of(CD_int),
                ClassFile.ACC_PROTECTED,
                code -> code.loadConstant(schema.definition().blockBytes()).ireturn());
        if (schema.kind() == Schema.Kind.INTERFACE) {
            type.withMethodBody("flyweight", MethodTypeDesc.of(FLYWEIGHT), ClassFile.ACC_PUBLIC, code -> {
                constants.load(code, flyweights, FlyweightMaker.class);
                code.aload(0)
                        .invokevirtual(Emitter.desc(FlyweightMaker.class), "make", MethodTypeDesc.of(FLYWEIGHT, CODEC))
                        .areturn();
            });
        }
        write(type);
        tail(type);
        read(type);
    }

    private int count() {
        return access.accessors().size();
    }

    private void write(ClassBuilder type) {
        for (int from = 0; from < count(); from += FIELDS_A_METHOD) {
            int first = from;
            type.withMethodBody(
                    "write" + from,
                    WRITE,
                    ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
                    code -> writeFields(code, first, Math.min(count(), first + FIELDS_A_METHOD)));
        }
        type.withMethodBody("write", WRITE, ClassFile.ACC_PROTECTED, code -> {
            clear(code);
            for (int from = 0; from < count(); from += FIELDS_A_METHOD) {
                code.aload(1)
                        .aload(2)
                        .lload(3)
                        .iload(5)
                        .iload(6)
                        .iload(7)
                        .iload(8)
                        .invokestatic(SELF, "write" + from, WRITE)
                        .istore(6);
            }
            code.iload(6).ireturn();
        });
    }

    /** Emits zeros for presence bits and for the places of what was removed. */
    private void clear(CodeBuilder code) {
        int at = 0;
        for (Field field : schema.definition().fields()) {
            if (!field.isRemoved()) {
                zeros(code, at, field.offset() - at);
                at = field.offset() + field.type().slotBytes();
            }
        }
        zeros(code, at, schema.definition().blockBytes() - at);
    }

    private static void zeros(CodeBuilder code, int at, int bytes) {
        if (bytes > 0) {
            code.aload(2)
                    .lload(3)
                    .iload(5)
                    .i2l()
                    .ladd()
                    .loadConstant((long) at)
                    .ladd()
                    .loadConstant(bytes)
                    .invokestatic(Emitter.BYTES, "clear", MethodTypeDesc.of(CD_void, Emitter.MEMORY, CD_long, CD_int));
        }
    }

    /** Arguments: 0 value, 1 memory, 2 base, 4 block, 5 end, 6 limit, 7 depth; local 8 is where the block begins. */
    private void writeFields(CodeBuilder code, int from, int to) {
        code.lload(2).iload(4).i2l().ladd().lstore(8);
        for (int i = from; i < to; i++) {
            Accessor accessor = access.accessors().get(i);
            Field field = accessor.property().field();
            Slot slot = slots.get(i);
            if (slot == null) {
                code.aload(1).lload(8).loadConstant((long) field.offset()).ladd();
                get(code, accessor, 0);
                Emitter.put(code, accessor.type());
            } else if (slot instanceof FixedSlot) {
                constants.load(code, slot, FixedSlot.class);
                code.aload(1).lload(8);
                get(code, accessor, 0);
                code.invokevirtual(
                        Emitter.desc(FixedSlot.class),
                        "put",
                        MethodTypeDesc.of(CD_void, Emitter.MEMORY, CD_long, CD_Object));
            } else {
                constants.load(code, slot, slot.getClass());
                get(code, accessor, 0);
                code.aload(1)
                        .lload(2)
                        .iload(4)
                        .iload(5)
                        .iload(6)
                        .iload(7)
                        .invokevirtual(Emitter.desc(slot.getClass()), "write", WRITE)
                        .istore(5);
            }
        }
        code.iload(5).ireturn();
    }

    private void get(CodeBuilder code, Accessor accessor, int value) {
        constants.load(code, accessor.getter(), MethodHandle.class);
        code.aload(value);
        Emitter.invokeExact(code, accessor.getter());
    }

    private void tail(ClassBuilder type) {
        type.withMethodBody("tail", TAIL, ClassFile.ACC_PROTECTED, code -> {
            code.iconst_0();
            for (int i = 0; i < count(); i++) {
                Slot slot = slots.get(i);
                if (slot != null && !(slot instanceof FixedSlot)) {
                    constants.load(code, slot, slot.getClass());
                    get(code, access.accessors().get(i), 1);
                    code.iload(2)
                            .invokevirtual(Emitter.desc(slot.getClass()), "tail", TAIL)
                            .invokestatic(
                                    Emitter.desc(Math.class), "addExact", MethodTypeDesc.of(CD_int, CD_int, CD_int));
                }
            }
            code.ireturn();
        });
    }

    private void read(ClassBuilder type) {
        if (schema.kind() == Schema.Kind.RECORD) {
            type.withMethodBody("read", READ, ClassFile.ACC_PROTECTED, this::readRecord);
            return;
        }
        type.withMethodBody("read", READ, ClassFile.ACC_PROTECTED, code -> {
            constructor(code);
            Emitter.invokeExact(code, Objects.requireNonNull(access.constructor()));
            code.astore(4)
                    .aload(0)
                    .aload(4)
                    .aload(1)
                    .iload(2)
                    .iload(3)
                    .invokevirtual(SELF, "readInto", READ_INTO)
                    .aload(4)
                    .areturn();
        });
        type.withMethodBody("readInto", READ_INTO, 0, this::readInto);
    }

    private void constructor(CodeBuilder code) {
        constants.load(code, Objects.requireNonNull(access.constructor()), MethodHandle.class);
    }

    private void readRecord(CodeBuilder code) {
        FieldReader reader = new FieldReader(schema, constants, 1, 2, 3, false);
        reader.prepare(code);
        int[] locals = new int[count()];
        for (int i = 0; i < count(); i++) {
            Accessor accessor = access.accessors().get(i);
            locals[i] = code.allocateLocal(Emitter.kind(accessor.type()));
            reader.read(code, accessor, slots.get(i));
            code.storeLocal(Emitter.kind(accessor.type()), locals[i]);
        }
        constructor(code);
        for (int i : access.arguments()) {
            code.loadLocal(Emitter.kind(access.accessors().get(i).type()), locals[i]);
        }
        Emitter.invokeExact(code, Objects.requireNonNull(access.constructor()));
        code.areturn();
    }

    private void readInto(CodeBuilder code) {
        FieldReader reader = new FieldReader(schema, constants, 2, 3, 4, schema.kind() == Schema.Kind.CLASS);
        reader.prepare(code);
        for (int i = 0; i < count(); i++) {
            Accessor accessor = access.accessors().get(i);
            MethodHandle setter = Objects.requireNonNull(accessor.setter());
            constants.load(code, setter, MethodHandle.class);
            code.aload(1);
            reader.read(code, accessor, slots.get(i));
            Emitter.invokeExact(code, setter);
        }
        code.return_();
    }
}
