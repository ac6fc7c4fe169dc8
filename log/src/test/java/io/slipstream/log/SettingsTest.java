package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the settings of a process are from. */
class SettingsTest {
    @TempDir
    private Path folder;

    /** Logs by whatever settings it finds. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            Log.of("a").info("m");
        }
    }

    /** What the program says with these options; {@code extra} is on its class path. */
    private String run(String variable, Path extra, String... options) throws Exception {
        String paths = System.getProperty("java.class.path")
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + Path.of("target", "test-classes");
        String absolute = Arrays.stream(paths.split(File.pathSeparator))
                .filter(path -> !path.isEmpty())
                .map(path -> Path.of(path).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", extra + File.pathSeparator + absolute, Program.class.getName()));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().remove(LogConfig.VARIABLE);
        if (!variable.isEmpty()) {
            builder.environment().put(LogConfig.VARIABLE, variable);
        }
        Process child = builder.start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        return said.strip();
    }

    private static Path settings(Path file, String pattern) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "pattern = " + pattern + "%n\n");
    }

    private static Path archive(Path file, String pattern) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.putNextEntry(new ZipEntry(LogConfig.FILE_NAME));
            jar.write(("pattern = " + pattern + "%n\n").getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    @Test
    void theyAreOfTheFirstPlaceThatHasSome() throws Exception {
        Path nothing = Files.createDirectory(folder.resolve("nothing"));
        assertThat(run("", nothing)).endsWith("INFO  [main] a - m");
        settings(folder.resolve(LogConfig.FILE_NAME), "directory");
        assertThat(run("", nothing)).isEqualTo("directory");
        Path classes = folder.resolve("classes");
        settings(classes.resolve(LogConfig.FILE_NAME), "classes");
        assertThat(run("", classes)).isEqualTo("classes");
        assertThat(run("", archive(folder.resolve("a.jar"), "archive"))).isEqualTo("archive");
        Path ofVariable = settings(folder.resolve("x/variable"), "variable");
        assertThat(run(ofVariable.toString(), classes)).isEqualTo("variable");
        settings(folder.resolve("x/property"), "property");
        assertThat(run(ofVariable.toString(), classes, "-Dslipstream.log=x/property"))
                .isEqualTo("property");
    }

    @Test
    void aFileThatIsNamedAndIsNotThereIsTold() throws Exception {
        assertThat(run("", folder, "-Dslipstream.log=none.properties"))
                .startsWith("slipstream-log: there is no file ")
                .contains("none.properties, which -Dslipstream.log or SLIPSTREAM_LOG names; logging to the console")
                .endsWith("INFO  [main] a - m");
    }
}
