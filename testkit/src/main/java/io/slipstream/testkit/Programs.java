package io.slipstream.testkit;

import java.io.IOException;
import java.util.List;

/** Programs of the machine, which some tests use where they are installed. */
public final class Programs {
    private Programs() {}

    /** Whether there is a Python that the Python clients run on. */
    public static boolean hasPython() throws InterruptedException {
        return run("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))");
    }

    /** Whether a program is on the path, and says its version. */
    public static boolean has(String program) throws InterruptedException {
        return run(program, "--version");
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(List.of(command))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
