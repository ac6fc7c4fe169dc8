package io.slipstream.benchmarks.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.Set;

/**
 * Loads the journal a second time, with its checksums of frames and of runs taken out, to show what they cost: the
 * journal itself has no switch for them.
 *
 * <p>In the classes that write records, each {@code CRC32C.update} gives way to dropping its arguments, so that every
 * checksum is that of no bytes. Headers of segments, indexes and positions keep theirs, which are not computed for each
 * record. Nothing but a journal loaded in this way can read what it has written.
 */
final class WithoutChecksum extends ClassLoader {
    /** The classes that compute a checksum for each record or run that is appended. */
    static final Set<String> CHANGED = Set.of(
            "io.slipstream.journal.format.FrameSeal",
            "io.slipstream.journal.segment.BufferedWriter",
            "io.slipstream.journal.segment.MappedWriter");

    private static final Set<String> LOADED_ANEW =
            Set.of("io.slipstream.journal.", "io.slipstream.benchmarks.journal.");

    static {
        registerAsParallelCapable();
    }

    WithoutChecksum() {
        super(WithoutChecksum.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (LOADED_ANEW.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] original = original(name);
        byte[] code = CHANGED.contains(name) ? withoutChecksum(original) : original;
        return defineClass(name, code, 0, code.length);
    }

    /** Returns the code of a class as it was compiled. */
    static byte[] original(String name) throws ClassNotFoundException {
        try (InputStream file =
                WithoutChecksum.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the code of a class in which no checksum takes any bytes. */
    static byte[] withoutChecksum(byte[] original) {
        ClassModel model = ClassFile.of().parse(original);
        return ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies((code, element) -> {
            if (updatesChecksum(element)) {
                code.pop2();
            } else {
                code.with(element);
            }
        }));
    }

    /** Returns whether this is a call of {@code CRC32C.update(ByteBuffer)}. */
    static boolean updatesChecksum(CodeElement element) {
        return element instanceof InvokeInstruction call
                && call.opcode() == Opcode.INVOKEVIRTUAL
                && call.owner().asInternalName().equals("java/util/zip/CRC32C")
                && call.name().equalsString("update")
                && call.type().equalsString("(Ljava/nio/ByteBuffer;)V");
    }
}
