package io.slipstream.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewCommandTest {
    private static final String BIN =
            Path.of(System.getProperty("java.home"), "bin").toString();
    private static final String SERVING = "Serving on port ";

    @TempDir
    private Path folder;

    @Test
    void writesAServiceThatRunsAndRemembersAfterItWasKilled() throws Exception {
        Path project = folder.resolve("my-service");
        assertThat(Main.run("new", project.toString())).isZero();
        compile(project);
        assertThat(addedTo(project, "5")).isEqualTo("counter 1 is 5");
        assertThat(addedTo(project, "2")).isEqualTo("counter 1 is 7");
    }

    @Test
    void fillsAllPlacesOfItsTemplates() throws IOException {
        Path project = folder.resolve("my-service");
        assertThat(Main.run("new", project.toString())).isZero();
        try (Stream<Path> files = Files.walk(project)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).doesNotContainPattern("@[A-Z]+@");
            }
        }
        assertThat(project.resolve("run")).isExecutable();
        assertThat(project.resolve("src/test/java/myservice/CountersTest.java")).exists();
    }

    @Test
    void findsAJdkWhicheverIsOnThePath() throws Exception {
        Path project = folder.resolve("my-service");
        assertThat(Main.run("new", project.toString())).isZero();
        assertThat(project.resolve("pom.xml")).content().contains("select-jdk-toolchain");
        Path old = Files.createDirectories(folder.resolve("old/bin")).getParent();
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
        Path oldJava = Files.writeString(old.resolve("bin/java"), "#!/bin/sh\necho too old\n");
        assertThat(oldJava.toFile().setExecutable(true)).isTrue();
        Path home = Files.createDirectories(folder.resolve("home/.jdks"));
        Files.createSymbolicLink(home.resolve("jdk"), Path.of(System.getProperty("java.home")));
        Path source = Files.writeString(folder.resolve("Main.java"), """
            package myservice;
            public class Main {
                public static void main(String[] arguments) {
                    System.out.println(Runtime.version().feature() >= 25 ? "new enough" : "too old");
                }
            }
            """);
        Path classes = Files.createDirectories(project.resolve("target/classes"));
        Files.createDirectories(project.resolve("target/lib"));
        assertThat(new ProcessBuilder(BIN + "/javac", "-d", classes.toString(), source.toString())
                        .start()
                        .waitFor())
                .isZero();
        for (String javaHome : List.of("", old.toString())) {
            ProcessBuilder run = new ProcessBuilder(project.resolve("run").toString()).redirectErrorStream(true);
            run.environment().put("PATH", old.resolve("bin") + File.pathSeparator + "/usr/bin:/bin");
            run.environment().put("HOME", home.getParent().toString());
            run.environment().put("JAVA_HOME", javaHome);
            Process process = run.start();
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("new enough\n");
        }
    }

    @Test
    void refusesNamesThatAreNoneAndFoldersThatAreThere() {
        assertThat(Main.run("new", folder.resolve("My Service").toString())).isEqualTo(2);
        for (String noPackage : List.of("class", "do-uble", "java")) {
            assertThat(Main.run("new", folder.resolve(noPackage).toString()))
                    .as(noPackage)
                    .isEqualTo(2);
        }
        assertThat(Main.run("new", folder.resolve("a").toString())).isZero();
        assertThat(Main.run("new", folder.resolve("a").toString())).isEqualTo(1);
    }

    private static void compile(Path project) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                BIN + "/javac",
                "-cp",
                classPath(),
                "-d",
                project.resolve("classes").toString()));
        try (Stream<Path> sources = Files.list(project.resolve("src/main/java/myservice"))) {
            sources.forEach(source -> command.add(source.toString()));
        }
        Process javac = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(javac.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(javac.waitFor()).as(said).isZero();
    }

    /** Starts the service, adds to counter 1, and kills it. Returns what the client says. */
    private static String addedTo(Path project, String amount) throws IOException, InterruptedException {
        Process server = java(project, "Main", project.resolve("data").toString(), "0", "0");
        try {
            String port = port(server);
            Process client = java(project, "Client", port, "1", amount);
            String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(client.waitFor()).as(said).isZero();
            return said.strip();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static String port(Process server) throws IOException {
        BufferedReader lines = server.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith(SERVING)) {
                return line.substring(SERVING.length(), line.indexOf(';'));
            }
        }
        throw new IOException("it did not start: " + said);
    }

    private static Process java(Path project, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                BIN + "/java",
                "-cp",
                project.resolve("classes") + File.pathSeparator + classPath(),
                "myservice." + main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        return (main.equals("Main")
                        ? builder.redirectError(ProcessBuilder.Redirect.DISCARD)
                        : builder.redirectErrorStream(true))
                .start();
    }

    private static String classPath() {
        return System.getProperty("jdk.module.path");
    }
}
