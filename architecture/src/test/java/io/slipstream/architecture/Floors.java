package io.slipstream.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Which module may use which. */
final class Floors {
    /**
     * The modules from the ground up: each may use those named before it. The testkit stands on top, so that the main
     * code of no module may use it.
     */
    static final List<String> FROM_THE_GROUND_UP = List.of(
            "core",
            "data",
            "ipc",
            "journal",
            "log",
            "service",
            "http",
            "replica",
            "cluster",
            "sim",
            "bank",
            "grid",
            "exchange",
            "ledger",
            "keyvalue",
            "ticks",
            "broker",
            "lab",
            "cli",
            "benchmarks",
            "testkit");

    /** Modules without main code, or whose main code holds proofs of other modules in the packages of these. */
    static final Set<String> WITHOUT_A_FLOOR = Set.of("architecture", "formatter", "jcstress", "lincheck");

    private static final String ROOT = "io.slipstream.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.slipstream");

    private Floors() {}

    static JavaClasses classes() {
        return CLASSES;
    }

    static JavaClasses classesOn(String floor) {
        return CLASSES.that(describe("on floor " + floor, javaClass -> floor.equals(floorOf(javaClass))));
    }

    /** The floor of a module by its folder: {@code log-slf4j} stands on that of {@code log}. */
    static String floorOf(String module) {
        return Path.of(module).getFileName().toString().replaceAll("-.*", "");
    }

    /** The part of the package name that names the module, or the empty text for classes of others. */
    static String floorOf(JavaClass javaClass) {
        String packageName = javaClass.getPackageName();
        if (!packageName.startsWith(ROOT)) {
            return "";
        }
        int end = packageName.indexOf('.', ROOT.length());
        return packageName.substring(ROOT.length(), end < 0 ? packageName.length() : end);
    }
}
