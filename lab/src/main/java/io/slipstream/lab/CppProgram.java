package io.slipstream.lab;

import io.slipstream.lab.machine.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A program in C++ that is part of the lab as a source, compiled where there is a compiler. */
public final class CppProgram {
    /** The first of these that is here; g++ where there is none. */
    public static final String COMPILER =
            Stream.of("g++", "c++", "clang++").filter(Programs::has).findFirst().orElse("g++");

    public static final List<String> FLAGS = List.of("-O3", "-march=native", "-std=c++17", "-pthread");

    /** What all twins include. */
    private static final String SHARED = "twin.h";

    private CppProgram() {}

    public static boolean isPossible() {
        return Programs.has(COMPILER);
    }

    /**
     * Compiles a program, unless it is in this directory already.
     *
     * @param source the name of a source among the lab's twins, such as {@code "ping_pong.cpp"}
     * @return the program
     * @throws Unavailable when there is no such source, no compiler, or it does not accept the source
     */
    public static Path compile(String source, Path directory) throws IOException, InterruptedException {
        return compile(source, directory, started -> {});
    }

    /**
     * The same.
     *
     * @param compiler gets the compiler's process once it has started, so that another thread can end it
     */
    public static Path compile(String source, Path directory, Consumer<Process> compiler)
            throws IOException, InterruptedException {
        Path program = directory.resolve(source.replace(".cpp", ""));
        if (Files.exists(program)) {
            return program;
        }
        Path copy = copy(source, directory);
        Path shared = copy(SHARED, directory);
        List<String> command = new ArrayList<>(List.of(COMPILER));
        command.addAll(FLAGS);
        command.addAll(List.of("-o", program.toString(), copy.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        compiler.accept(process);
        String said;
        try (InputStream out = process.getInputStream()) {
            said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        int exit = process.waitFor();
        Files.delete(copy);
        Files.delete(shared);
        if (exit != 0) {
            throw new Unavailable(COMPILER + " ended with " + exit + " on " + source + ": " + said);
        }
        return program;
    }

    private static Path copy(String source, Path directory) throws IOException {
        try (InputStream in = CppProgram.class.getResourceAsStream("twin/" + source)) {
            if (in == null) {
                throw new Unavailable("the twin " + source + " is not part of this jar");
            }
            if (!isPossible()) {
                throw new Unavailable("no C++ compiler (g++, c++ or clang++) here");
            }
            Path copy = directory.resolve(source);
            Files.copy(in, copy);
            return copy;
        }
    }
}
