package io.slipstream.data.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.slipstream.data.host.Defaults;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.wire.FixedSlot;
import io.slipstream.data.wire.Input;
import io.slipstream.data.wire.Slot;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Emits the reading of fields: a load, and the default where the version of the bytes is older than the field. */
final class FieldReader {
    private static final ClassDesc INPUT = Emitter.desc(Input.class);

    private final Schema<?> schema;
    private final Constants constants;
    private final int input;
    private final int block;
    private final int version;
    private final boolean reuses;
    private int memory;
    private int at;

    /**
     * Creates the reader of one method.
     *
     * @param input local of the {@link Input}
     * @param block local of the block's offset in the message
     * @param version local of the version
     * @param reuses whether arrays of the object in local 1 are read into
     */
    FieldReader(Schema<?> schema, Constants constants, int input, int block, int version, boolean reuses) {
        this.schema = schema;
        this.constants = constants;
        this.input = input;
        this.block = block;
        this.version = version;
        this.reuses = reuses;
    }

    /** Emits what fills the locals for memory and address. */
    void prepare(CodeBuilder code) {
        memory = code.allocateLocal(TypeKind.REFERENCE);
        at = code.allocateLocal(TypeKind.LONG);
        code.aload(input)
                .invokevirtual(INPUT, "memory", MethodTypeDesc.of(Emitter.MEMORY))
                .astore(memory);
        code.aload(input)
                .invokevirtual(INPUT, "base", MethodTypeDesc.of(CD_long))
                .iload(block)
                .i2l()
                .ladd()
                .lstore(at);
    }

    /** Emits code that leaves the value of a field on the stack. */
    void read(CodeBuilder code, Accessor accessor, @Nullable Slot slot) {
        Field field = accessor.property().field();
        if (field.since() == 1) {
            present(code, accessor, slot);
            return;
        }
        Label isOld = code.newLabel();
        Label end = code.newLabel();
        code.iload(version).loadConstant(field.since()).if_icmplt(isOld);
        present(code, accessor, slot);
        code.goto_(end).labelBinding(isOld);
        absent(code, accessor, slot);
        code.labelBinding(end);
    }

    private void absent(CodeBuilder code, Accessor accessor, @Nullable Slot slot) {
        Object value = Defaults.of(schema.name(), accessor.property());
        if (slot != null && value != null && value.getClass().isArray()) {
            constants.load(code, slot, Slot.class);
            code.invokeinterface(Emitter.desc(Slot.class), "blank", MethodTypeDesc.of(CD_Object));
        } else {
            Emitter.constant(code, constants, accessor.type(), value);
        }
    }

    private void present(CodeBuilder code, Accessor accessor, @Nullable Slot slot) {
        Field field = accessor.property().field();
        boolean intoCurrent =
                reuses && slot != null && accessor.property().javaType().isArray();
        if (slot == null) {
            code.aload(memory).lload(at).loadConstant((long) field.offset()).ladd();
            Emitter.get(code, accessor.type());
        } else if (slot instanceof FixedSlot) {
            constants.load(code, slot, FixedSlot.class);
            code.aload(memory).lload(at).iload(block);
            current(code, accessor, intoCurrent);
            code.invokevirtual(
                    Emitter.desc(FixedSlot.class),
                    "get",
                    intoCurrent
                            ? MethodTypeDesc.of(CD_Object, Emitter.MEMORY, CD_long, CD_int, CD_Object)
                            : MethodTypeDesc.of(CD_Object, Emitter.MEMORY, CD_long, CD_int));
        } else {
            constants.load(code, slot, slot.getClass());
            code.aload(input).iload(block);
            current(code, accessor, intoCurrent);
            code.invokevirtual(
                    Emitter.desc(slot.getClass()),
                    "read",
                    intoCurrent
                            ? MethodTypeDesc.of(CD_Object, INPUT, CD_int, CD_Object)
                            : MethodTypeDesc.of(CD_Object, INPUT, CD_int));
        }
    }

    private void current(CodeBuilder code, Accessor accessor, boolean intoCurrent) {
        if (intoCurrent) {
            constants.load(code, accessor.getter(), MethodHandle.class);
            code.aload(1);
            Emitter.invokeExact(code, accessor.getter());
        }
    }
}
