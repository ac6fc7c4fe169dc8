package io.slipstream.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** The modules from the ground up: each may use those named before it. */
final class Floors {
    static final List<String> FROM_THE_GROUND_UP = List.of(
            "core",
            "data",
            "ipc",
            "journal",
            "log",
            "service",
            "sim",
            "http",
            "replica",
            "cluster",
            "counter",
            "exchange",
            "ledger",
            "keyvalue",
            "ticks",
            "broker",
            "lab",
            "cli",
            "benchmarks");

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
