package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list of an interface in a named module of its own. */
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
    }

    @Test
    void aModuleThatDoesNotIsToldWhatToOpen() throws Exception {
        Class<?> type = tradeOf("app.closed", false);
        assertThatThrownBy(() -> HugeList.of(type)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("let its module export or open app.closed to io.slipstream.data");
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
        ClassDesc trade = ClassDesc.of(module, "Trade");
        byte[] bytes = ClassFile.of().build(trade, type -> {
            int method = ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT;
            type.withFlags(method | ClassFile.ACC_INTERFACE);
            type.withMethod("id", MethodTypeDesc.of(ConstantDescs.CD_long), method, _ -> { });
            type.withMethod("id", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long), method, _ -> { });
        });
        Files.write(Files.createDirectories(classes.resolve(module.replace('.', '/'))).resolve("Trade.class"), bytes);
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration = boot.configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(),
                Set.of(module));
        return ModuleLayer.defineModulesWithOneLoader(configuration, List.of(boot), HugeList.class.getClassLoader())
                .layer().findLoader(module).loadClass(module + ".Trade");
    }
}
