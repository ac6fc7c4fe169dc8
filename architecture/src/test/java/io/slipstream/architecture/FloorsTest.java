package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Arrows between modules run downward only. */
class FloorsTest {
    @Test
    void noClassDependsOnAModuleAboveItsOwn() {
        assertThat(arrowsUpward(Floors.FROM_THE_GROUND_UP))
                .as("dependencies on modules above; Floors.java says which is above which")
                .isEmpty();
    }

    @Test
    void theCheckFindsAnArrowUpward() {
        List<String> upsideDown = Floors.FROM_THE_GROUND_UP.reversed();
        assertThat(arrowsUpward(upsideDown)).anyMatch(arrow -> arrow.startsWith("io.slipstream.journal."));
    }

    @Test
    void everyModuleIsLookedAt() {
        assertThat(notNamed(SourceTree.modules()))
                .as("modules that Floors.java does not name")
                .isEmpty();
        Set<String> missing = new TreeSet<>(Floors.FROM_THE_GROUND_UP);
        missing.removeIf(floor -> !Floors.classesOn(floor).isEmpty());
        assertThat(missing)
                .as("floors without classes: no module, or no dependency in architecture/pom.xml")
                .isEmpty();
    }

    @Test
    void theCheckFindsAModuleWithoutAName() {
        assertThat(notNamed(List.of("core", "log-slf4j", "examples/bank", "examples/counter", "etc/formatter")))
                .containsExactly("examples/counter");
    }

    @Test
    void onlyTestsDependOnTheTestkit() {
        Pattern dependency =
                Pattern.compile("(?s)<dependency>(?:(?!</dependency>).)*slipstream-testkit.*?</dependency>");
        Set<String> wrong = new TreeSet<>();
        for (String module : SourceTree.modules()) {
            if (dependency
                    .matcher(SourceTree.pom(module))
                    .results()
                    .anyMatch(found -> !found.group().contains("<scope>test</scope>"))) {
                wrong.add(module);
            }
        }
        assertThat(wrong)
                .as("modules whose dependency on slipstream-testkit does not have the scope test")
                .isEmpty();
    }

    private static List<String> notNamed(List<String> modules) {
        return modules.stream()
                .filter(module -> !Floors.FROM_THE_GROUND_UP.contains(Floors.floorOf(module))
                        && !Floors.WITHOUT_A_FLOOR.contains(Floors.floorOf(module)))
                .toList();
    }

    private static List<String> arrowsUpward(List<String> floors) {
        List<String> arrows = new ArrayList<>();
        for (JavaClass javaClass : Floors.classes()) {
            int own = floors.indexOf(Floors.floorOf(javaClass));
            for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
                int other = floors.indexOf(Floors.floorOf(dependency.getTargetClass()));
                if (own >= 0 && other > own) {
                    arrows.add(javaClass.getName() + " -> "
                            + dependency.getTargetClass().getName());
                }
            }
        }
        return arrows;
    }
}
