package io.slipstream.ipc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Programs in C and Python on the other side of a channel, built once from the sources of this module. */
final class CPeer {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path BUILT = MODULE.resolve("target/c");

    private CPeer() {}

    private static final List<String> C = List.of("gcc", "-std=c11");
    private static final List<String> CPP = List.of("g++", "-std=c++17", "-x", "c++");

    /** Returns the C program; skips the test where there is no compiler. */
    static synchronized Path program() throws IOException, InterruptedException {
        return compile("peer", C, "src/test/c/peer.c", List.of("-Ic"));
    }

    /** Returns the same program, compiled as one in C++; skips the test where there is no compiler. */
    static synchronized Path programInCpp() throws IOException, InterruptedException {
        requireProgram("g++");
        return compile("peer-cpp", CPP, "src/test/c/peer.c", List.of("-Ic"));
    }

    /** Returns the shared library; skips the test where there is no compiler. */
    static synchronized Path library() throws IOException, InterruptedException {
        return compile("libslipstream_ipc.so", C, "c/slipstream_ipc.c", List.of("-shared", "-fPIC"));
    }

    private static Path compile(String name, List<String> language, String source, List<String> options)
            throws IOException, InterruptedException {
        requireProgram(language.getFirst());
        Path built = BUILT.resolve(name);
        Path from = MODULE.resolve(source);
        Files.createDirectories(BUILT);
        if (Files.exists(built)
                && newest(from).compareTo(Files.getLastModifiedTime(built).toInstant()) < 0) {
            return built;
        }
        Path draft = BUILT.resolve(name + "." + ProcessHandle.current().pid());
        List<String> command = new ArrayList<>(language);
        command.addAll(
                List.of("-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", draft.toString(), from.toString()));
        command.addAll(options);
        Process gcc = new ProcessBuilder(command)
                .directory(MODULE.toFile())
                .inheritIO()
                .start();
        if (gcc.waitFor() != 0) {
            throw new AssertionError("gcc does not compile " + from);
        }
        return Files.move(draft, built, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Instant newest(Path source) throws IOException {
        Instant header =
                Files.getLastModifiedTime(MODULE.resolve("c/slipstream_ipc.h")).toInstant();
        Instant own = Files.getLastModifiedTime(source).toInstant();
        return header.isAfter(own) ? header : own;
    }

    static void requireProgram(String name) {
        try {
            new ProcessBuilder(name, "--version")
                    .redirectErrorStream(true)
                    .start()
                    .getInputStream()
                    .readAllBytes();
        } catch (IOException e) {
            Assumptions.abort("no " + name + " here, so nothing is tested against it");
        }
    }

    /** Starts the C program; what it says on its error stream is that of the test. */
    static Process start(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return start(program(), environment, arguments);
    }

    /** Starts one of the programs; what it says on its error stream is that of the test. */
    static Process start(Path program, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    static Process python(String... arguments) throws IOException, InterruptedException {
        requireProgram("python3");
        List<String> command = new ArrayList<>(
                List.of("python3", MODULE.resolve("src/test/python/peer.py").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("PYTHONPATH", MODULE.resolve("c").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("SLIPSTREAM_IPC_LIBRARY", library().toString());
        return builder.start();
    }

    static void awaitAttached(Process process) throws IOException {
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        if (!"attached".equals(line)) {
            throw new AssertionError("the other side said: " + line);
        }
    }
}
