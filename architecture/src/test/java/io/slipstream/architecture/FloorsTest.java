package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
        Set<String> missing = new TreeSet<>();
        for (String module : SourceTree.modules()) {
            List<Path> files = SourceTree.javaFiles(module + "/src/main/java");
            // log-slf4j stands on the floor of log.
            String floor = Path.of(module).getFileName().toString().replaceAll("-.*", "");
            if (!files.isEmpty()
                    && !floor.equals("jcstress")
                    && Floors.classesOn(floor).isEmpty()) {
                missing.add(module);
            }
        }
        assertThat(missing)
                .as("modules that are no dependency in architecture/pom.xml or not named in Floors.java")
                .isEmpty();
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
