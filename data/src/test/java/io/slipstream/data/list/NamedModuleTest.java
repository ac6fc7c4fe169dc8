package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.codec.Codec;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.foreign.MemorySegment;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list and a flyweight of an interface in a named module of its own, or in no package. */
class NamedModuleTest {
    @TempDir
    Path temp;

    @Test
    void aModuleThatOpensItsPackageNeedsNoLookup() throws Exception {
        Class<?> type = tradeOf("app.open", true);
        try (HugeList<?> list = HugeList.of(type)) {
            Object trade = list.append();
            assertThat(type.isInstance(trade)).isTrue();
            assertThat(list.longs("id").get(0)).isZero();
        }
        assertThat(flyweight(type)).isInstanceOf(type);
    }

    private static <T> T flyweight(Class<T> type) {
        return Codec.of(type).flyweight().begin(MemorySegment.ofArray(new byte[64]), 0, 64);
    }

    @Test
    void aModuleThatDoesNotIsToldWhatToOpen() throws Exception {
        Class<?> type = tradeOf("app.closed", false);
        assertThatThrownBy(() -> HugeList.of(type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("let its module export or open app.closed to io.slipstream.data");
    }

    @Test
    void aTypeInNoPackageAtAllNeedsNoLookup() throws Exception {
        byte[] bytes = trade(ClassDesc.of("Trade"));
        Class<?> type = new ClassLoader(HugeList.class.getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.equals("Trade")) {
                    return defineClass(name, bytes, 0, bytes.length);
                }
                throw new ClassNotFoundException(name);
            }
        }.loadClass("Trade");
        try (HugeList<?> list = HugeList.of(type)) {
            assertThat(type.isInstance(list.append())).isTrue();
        }
        assertThat(flyweight(type)).isInstanceOf(type);
    }

    private static byte[] trade(ClassDesc name) {
        return ClassFile.of().build(name, type -> {
            int method = ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT;
            type.withFlags(method | ClassFile.ACC_INTERFACE);
            type.withMethod("id", MethodTypeDesc.of(ConstantDescs.CD_long), method, _ -> {});
            type.withMethod("id", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long), method, _ -> {});
        });
    }

    private Class<?> tradeOf(String module, boolean isOpen) throws IOException, ClassNotFoundException {
        Module data = HugeList.class.getModule();
        ModuleDesc name = ModuleDesc.of(module);
        Path classes = Files.createDirectories(temp.resolve(module));
        byte[] info = ClassFile.of().buildModule(ModuleAttribute.of(name, builder -> {
            builder.requires(ModuleDesc.of("java.base"), ClassFile.ACC_MANDATED, null);
            if (data.isNamed()) {
                builder.requires(ModuleDesc.of(data.getName()), 0, null);
            }
            builder.exports(PackageDesc.of(module), 0);
            if (isOpen && data.isNamed()) {
                builder.opens(PackageDesc.of(module), 0, ModuleDesc.of(data.getName()));
            }
        }));
        Files.write(classes.resolve("module-info.class"), info);
        byte[] bytes = trade(ClassDesc.of(module, "Trade"));
        Files.write(
                Files.createDirectories(classes.resolve(module.replace('.', '/')))
                        .resolve("Trade.class"),
                bytes);
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration =
                boot.configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of(module));
        return ModuleLayer.defineModulesWithOneLoader(configuration, List.of(boot), HugeList.class.getClassLoader())
                .layer()
                .findLoader(module)
                .loadClass(module + ".Trade");
    }
}
