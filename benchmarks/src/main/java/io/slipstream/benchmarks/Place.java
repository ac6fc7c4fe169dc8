package io.slipstream.benchmarks;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where figures come from.
 *
 * @param machine    its processors and its system
 * @param jdk        version and vendor
 * @param folder     the working directory, below which suites write what they write
 * @param fileSystem the type of the file system of that folder
 * @param device     what it lies on, as the system calls it
 */
record Place(String machine, String jdk, String folder, String fileSystem, String device) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";

    /** Returns this machine, and the working directory. */
    static Place here() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        FileStore store = Files.getFileStore(folder);
        return new Place(
                Runtime.getRuntime().availableProcessors() + " processors" + model() + ", "
                        + property("os.name") + " "
                        + property("os.version") + " " + property("os.arch"),
                property("java.runtime.version") + " " + property("java.vendor"),
                folder.toString(),
                store.type(),
                store.name());
    }

    /** The lines above a table. */
    String heading() {
        return "machine: " + machine + System.lineSeparator() + "JDK:     " + jdk + System.lineSeparator() + "folder:  "
                + folder + ", " + fileSystem + " on " + device;
    }

    private static String model() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith(MODEL))
                    .findFirst()
                    .map(line -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "");
    }
}
