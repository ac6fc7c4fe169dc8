package io.slipstream.data.host;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where classes are defined beside a type of another module that has opened its package.
 *
 * <p>A lookup into another module may define a class with a name there, but no hidden one. So a class is defined whose
 * only method gives its own lookup away, which may.
 */
public final class PackageHost {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final ClassDesc LOOKUP =
            MethodHandles.Lookup.class.describeConstable().orElseThrow();

    private PackageHost() {}

    /**
     * Returns a lookup with all privileges in the package of {@code inside}.
     *
     * @throws IllegalAccessException if {@code inside} cannot define classes there
     */
    public static MethodHandles.Lookup of(MethodHandles.Lookup inside) throws IllegalAccessException {
        if (inside.hasFullPrivilegeAccess()) {
            return inside;
        }
        MethodTypeDesc type = MethodTypeDesc.of(LOOKUP);
        ClassDesc name =
                ClassDesc.of(inside.lookupClass().getPackageName(), "SlipstreamHost$" + COUNT.incrementAndGet());
        byte[] bytes = ClassFile.of()
                .build(
                        name,
                        host -> host.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(
                                        "lookup",
                                        type,
                                        ClassFile.ACC_STATIC,
                                        code -> code.invokestatic(
                                                        MethodHandles.class
                                                                .describeConstable()
                                                                .orElseThrow(),
                                                        "lookup",
                                                        type)
                                                .areturn()));
        try {
            Class<?> host = inside.defineClass(bytes);
            MethodHandle lookup = inside.findStatic(host, "lookup", MethodType.methodType(MethodHandles.Lookup.class));
            return (MethodHandles.Lookup) lookup.invokeExact();
        } catch (IllegalAccessException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
