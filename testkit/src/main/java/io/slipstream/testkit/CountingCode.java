package io.slipstream.testkit;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds calls of {@link MovedBytes} to a class, where it copies bytes and where a loop reads lengths of frames. */
final class CountingCode {
    private static final ClassDesc COUNTER =
            MovedBytes.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc MOVED =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long, ConstantDescs.CD_String);
    private static final MethodTypeDesc SIZE = MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_Object);
    private static final MethodTypeDesc LOOKED =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_String);

    /** What many bytes come from, or go to, at once. */
    private static final Set<String> CARRIERS = Set.of("Object", "MemorySegment", "ByteBuffer", "byte[]");

    private CountingCode() {}

    /** Returns the class with those calls; {@code types} finds the classes that it names. */
    static byte[] of(byte[] code, ClassLoader types) {
        ClassFile file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(types).orElse(ClassHierarchyResolver.defaultResolver())));
        ClassModel model = file.parse(code);
        String owner = model.thisClass().asSymbol().displayName();
        ClassTransform transform = (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                String name = owner + "." + method.methodName().stringValue();
                BitSet looped = looped(method.code().orElseThrow());
                builder.transformMethod(
                        method,
                        MethodTransform.transformingCode(CodeTransform.ofStateful(() -> new Counting(name, looped))));
            } else {
                builder.with(element);
            }
        };
        return file.transformClass(model, transform);
    }

    /** Returns which elements are between a label and a branch back to it. */
    private static BitSet looped(CodeModel code) {
        List<CodeElement> elements = code.elementList();
        Map<Label, Integer> labels = new HashMap<>();
        BitSet looped = new BitSet();
        for (int at = 0; at < elements.size(); at++) {
            if (elements.get(at) instanceof LabelTarget target) {
                labels.put(target.label(), at);
            } else if (elements.get(at) instanceof BranchInstruction branch) {
                Integer back = labels.get(branch.target());
                if (back != null) {
                    looped.set(back, at);
                }
            }
        }
        return looped;
    }

    /** Adds the calls to one method. */
    private static final class Counting implements CodeTransform {
        private final String method;
        private final BitSet looped;
        private int at;

        Counting(String method, BitSet looped) {
            this.method = method;
            this.looped = looped;
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            boolean inLoop = looped.get(at++);
            if (element instanceof InvokeInstruction call) {
                call(builder, call, inLoop);
                return;
            }
            if (inLoop && element instanceof ArrayStoreInstruction store && store.typeKind() == TypeKind.BYTE) {
                builder.loadConstant(1L);
                moved(builder, true);
            }
            builder.with(element);
        }

        private void call(CodeBuilder builder, InvokeInstruction call, boolean inLoop) {
            MethodTypeDesc type = call.typeSymbol();
            String owner = call.owner().asSymbol().displayName();
            String name = call.name().stringValue();
            switch (owner) {
                case "System", "MemorySegment", "ByteBuffer", "VarHandle" -> {
                    if (name.equals("arraycopy") || name.startsWith("copy")) {
                        argument(builder, type, true, inLoop);
                    } else if (owner.equals("ByteBuffer") && (name.startsWith("put") || name.equals("get"))) {
                        boolean isBulk = isBulk(type);
                        if (isBulk || name.startsWith("put")) {
                            argument(builder, type, isBulk, inLoop);
                        }
                    } else if (name.startsWith("set") && (owner.equals("MemorySegment") || isBulk(type))) {
                        argument(builder, type, false, inLoop);
                    }
                }
                default -> {}
            }
            builder.with(call);
            switch (owner + "." + name) {
                case "MemorySegment.toArray",
                        "Arena.allocateFrom",
                        "SegmentAllocator.allocateFrom",
                        "Arrays.copyOf",
                        "Arrays.copyOfRange",
                        "ByteArrayOutputStream.toByteArray",
                        "String.getBytes",
                        "byte[].clone" -> {
                    if (!type.returnType().isPrimitive()) {
                        builder.dup();
                        size(builder, inLoop);
                    }
                }
                case "Frame.length" -> {
                    if (inLoop && type.returnType().equals(ConstantDescs.CD_int)) {
                        builder.dup().loadConstant(method).invokestatic(COUNTER, "looked", LOOKED);
                    }
                }
                default -> {}
            }
        }

        /** Counts what the last argument says: itself, its size, or how many bytes its type has. */
        private void argument(CodeBuilder builder, MethodTypeDesc type, boolean isBulk, boolean inLoop) {
            ClassDesc last = type.parameterType(type.parameterCount() - 1);
            if (!isBulk) {
                if (inLoop && last.isPrimitive()) {
                    builder.loadConstant(bytes(last));
                    moved(builder, true);
                }
            } else if (!last.isPrimitive()) {
                builder.dup();
                size(builder, inLoop);
            } else if (last.equals(ConstantDescs.CD_long)) {
                builder.dup2();
                moved(builder, inLoop);
            } else {
                builder.dup().i2l();
                moved(builder, inLoop);
            }
        }

        private void size(CodeBuilder builder, boolean inLoop) {
            builder.invokestatic(COUNTER, "size", SIZE);
            moved(builder, inLoop);
        }

        private void moved(CodeBuilder builder, boolean inLoop) {
            builder.loadConstant(method).invokestatic(COUNTER, inLoop ? "movedInLoop" : "moved", MOVED);
        }

        private static boolean isBulk(MethodTypeDesc type) {
            return type.parameterList().stream().anyMatch(each -> CARRIERS.contains(each.displayName()));
        }

        private static long bytes(ClassDesc type) {
            return switch (type.displayName()) {
                case "long", "double" -> Long.BYTES;
                case "int", "float" -> Integer.BYTES;
                case "short", "char" -> Short.BYTES;
                default -> 1;
            };
        }
    }
}
