package io.slipstream.data.codec;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/** Objects that generated code takes for constants: the class data of a hidden class. */
final class Constants {
    private static final DirectMethodHandleDesc CLASS_DATA_AT = MethodHandleDesc.ofMethod(
            DirectMethodHandleDesc.Kind.STATIC,
            ConstantDescs.CD_MethodHandles,
            "classDataAt",
            MethodTypeDesc.of(
                    ConstantDescs.CD_Object,
                    ConstantDescs.CD_MethodHandles_Lookup,
                    ConstantDescs.CD_String,
                    ConstantDescs.CD_Class,
                    ConstantDescs.CD_int));

    private final List<Object> objects = new ArrayList<>();

    /** Emits the load of an object, as of type {@code type}. */
    void load(CodeBuilder code, Object object, Class<?> type) {
        int index = objects.size();
        objects.add(object);
        ClassDesc desc = ClassDesc.ofDescriptor(type.descriptorString());
        code.loadConstant(DynamicConstantDesc.ofNamed(CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, desc, index));
    }

    /** Returns the class data. */
    List<Object> objects() {
        return objects;
    }
}
