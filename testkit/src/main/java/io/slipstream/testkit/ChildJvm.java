package io.slipstream.testkit;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class of the tests in a process of its own: to be killed, or to be alone with the compiler. */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * Returns what starts the class on the JDK of this process, with the class path and the modules of its tests, and
     * with its patience.
     *
     * @param options of the JVM
     */
    public static ProcessBuilder of(Class<?> main, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(Await.patience());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath());
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** Returns the class path and the modules of the tests, and their own classes, as a class path. */
    public static String classPath() {
        return String.join(
                File.pathSeparator,
                System.getProperty("java.class.path"),
                System.getProperty("jdk.module.path", ""),
                Path.of("target", "test-classes").toAbsolutePath().toString());
    }
}
