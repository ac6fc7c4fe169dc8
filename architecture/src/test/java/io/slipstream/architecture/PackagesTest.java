package io.slipstream.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.slipstream.architecture.circle.first.First;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Packages are rooms: none depends on itself by way of others, and none is crowded. */
class PackagesTest {
    private static final int MOST_FILES = 25;

    @ParameterizedTest(name = "{0}")
    @MethodSource("floors")
    void noPackageDependsOnItself(String floor) {
        slices().assignedFrom(new Rooms())
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(Floors.classesOn(floor));
    }

    @Test
    void theCheckFindsACircle() {
        JavaClasses twins = new ClassFileImporter()
                .importPackages(First.class.getPackageName().replace(".first", ""));
        assertThat(slices().assignedFrom(new Rooms())
                        .should()
                        .beFreeOfCycles()
                        .evaluate(twins)
                        .hasViolation())
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void noPackageIsCrowded(String module) {
        Map<String, Long> filesByFolder = SourceTree.javaFiles(module + "/src/main/java").stream()
                .map(Path::getParent)
                .map(SourceTree::name)
                .collect(Collectors.groupingBy(folder -> folder, TreeMap::new, Collectors.counting()));
        List<String> crowded = filesByFolder.entrySet().stream()
                .filter(entry -> entry.getValue() > MOST_FILES)
                .map(entry -> entry.getKey() + " has " + entry.getValue() + " files")
                .toList();
        assertThat(crowded)
                .as("packages of more than %s files; give each idea its own", MOST_FILES)
                .isEmpty();
    }

    static Stream<String> floors() {
        return Floors.FROM_THE_GROUND_UP.stream();
    }

    static Stream<String> modules() {
        return SourceTree.modules().stream();
    }

    /** Each package by itself, those above it included. */
    private static final class Rooms implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            return SliceIdentifier.of(javaClass.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
