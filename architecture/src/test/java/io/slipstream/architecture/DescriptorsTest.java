package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The jar of a named module has its descriptor, which a step of its own puts there. Without that the module has no name
 * for those who come later in the build, while all is well as long as only classes are compiled.
 */
class DescriptorsTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource("namedModules")
    void theJarGetsTheDescriptor(String module) {
        assertThat(SourceTree.pom(module))
                .as("add exec-maven-plugin to the build of %s/pom.xml", module)
                .contains("<artifactId>exec-maven-plugin</artifactId>");
    }

    static Stream<String> namedModules() {
        return SourceTree.modules().stream()
                .filter(module -> SourceTree.javaFiles(module + "/src/main/java").stream()
                        .anyMatch(file -> file.endsWith(module + "/src/main/java/module-info.java")));
    }
}
