package io.slipstream.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeImageTest {
    private static final long MOST_BYTES = 70_000_000;

    @TempDir
    private Path folder;

    @Test
    void thePackageRunsOnASmallRuntimeWithoutDesktop() throws Exception {
        Path made = folder.resolve("made");
        // In a process of its own, for tests run on a runtime that jlink does not link from.
        said(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                own() + File.pathSeparator + System.getProperty("jdk.module.path"),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main",
                "package",
                made.toString()));
        try (Stream<Path> files = Files.walk(made)) {
            assertThat(files.filter(Files::isRegularFile)
                            .mapToLong(file -> file.toFile().length())
                            .sum())
                    .isLessThan(MOST_BYTES);
        }
        assertThat(Files.getPosixFilePermissions(made.resolve("bin/slipstream")))
                .as("root makes it, and a container or systemd runs it as somebody else")
                .contains(PosixFilePermission.OTHERS_EXECUTE);
        assertThat(said(List.of(made.resolve("runtime/bin/java").toString(), "--list-modules")))
                .contains("java.base@", "jdk.jfr@", "jdk.jcmd@")
                .doesNotContain("java.desktop");
        assertThat(said(List.of(made.resolve("bin/slipstream").toString(), "lab", "--help")))
                .contains("Usage: slipstream lab");
        givesTheJvmWhatEachCommandNeeds(made);
    }

    private static void givesTheJvmWhatEachCommandNeeds(Path made) throws Exception {
        Files.writeString(made.resolve("app/slipstream.aot"), "");
        Path java = made.resolve("runtime/bin/java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        List<String> launcher = List.of(made.resolve("bin/slipstream").toString());
        assertThat(said(launcher))
                .contains("-XX:AOTCache=" + made.toRealPath() + "/app/slipstream.aot -XX:+VerifySharedSpaces ");
        assertThat(said(launcher, "-XX:AOTCacheOutput=new.aot"))
                .contains(" -XX:AOTCacheOutput=new.aot ")
                .doesNotContain("-XX:AOTCache=");
        String member = Files.writeString(made.resolve("a member.toml"), "dir = \"a\"\ncluster = \"members\"\n")
                .toString();
        String alone = Files.writeString(made.resolve("alone.toml"), "dir = \"cluster =\"\n")
                .toString();
        for (List<String> arguments :
                List.of(List.of("--cluster", "members"), List.of("--config", member), List.of("--config=" + member))) {
            assertThat(serving(launcher, arguments)).contains("--add-opens=java.base/jdk.internal.misc=org.agrona ");
        }
        for (List<String> arguments : List.of(List.<String>of(), List.of("--config", alone))) {
            assertThat(serving(launcher, arguments)).doesNotContain("--add-opens");
        }
        Path ofMember = Files.createDirectories(made.resolve("of a member"));
        assertThat(said(dump(launcher, ofMember))).doesNotContain("--add-opens");
        Files.createFile(Files.createDirectories(ofMember.resolve("archive")).resolve("archive.catalog"));
        assertThat(said(dump(launcher, ofMember))).contains("--add-opens=java.base/jdk.internal.misc=org.agrona ");
        assertThat(choice(Path.of("..", "slipstream"))).isEqualTo(choice(made.resolve("bin/slipstream")));
    }

    private static List<String> dump(List<String> launcher, Path folder) {
        return List.of(launcher.getFirst(), "journal", "dump", folder.toString());
    }

    /** Returns the lines that choose the JVM's options for Aeron, which all launchers have. */
    private static List<String> choice(Path launcher) throws IOException {
        List<String> lines = Files.readAllLines(launcher);
        int begin = lines.indexOf("case \" $* \" in");
        return lines.subList(begin, begin + lines.subList(begin, lines.size()).indexOf("esac"));
    }

    private static String serving(List<String> launcher, List<String> arguments) throws Exception {
        List<String> all = new ArrayList<>(launcher);
        all.addAll(List.of("serve", "exchange"));
        all.addAll(arguments);
        return said(all);
    }

    private static String own() {
        return Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
    }

    private static String said(List<String> command) throws Exception {
        return said(command, "");
    }

    private static String said(List<String> command, String options) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SLIPSTREAM_JAVA_OPTIONS", options);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
