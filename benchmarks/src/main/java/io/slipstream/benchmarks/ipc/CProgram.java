package io.slipstream.benchmarks.ipc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The same parts in C, on the same layout: what the machine can do. */
final class CProgram {
    private CProgram() {}

    static boolean hasCompiler() {
        return Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "gcc")));
    }

    static List<String> command(String role, Path folder, int bytes) throws IOException {
        Path program = folder.resolve("part");
        if (!Files.exists(program)) {
            for (String file : new String[] {"part.c", "slipstream_ipc.h"}) {
                try (InputStream source = CProgram.class.getResourceAsStream(file)) {
                    Files.copy(Objects.requireNonNull(source, file), folder.resolve(file));
                }
            }
            compile(folder, program);
        }
        return List.of(
                program.toString(),
                role,
                SlipstreamLink.file(folder, 1).toString(),
                SlipstreamLink.file(folder, 2).toString(),
                "" + bytes);
    }

    private static void compile(Path folder, Path program) throws IOException {
        Process gcc = new ProcessBuilder(
                        "gcc",
                        "-std=c11",
                        "-O2",
                        "-march=native",
                        "-o",
                        program.toString(),
                        folder.resolve("part.c").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (gcc.onExit().join().exitValue() != 0) {
            throw new IOException("gcc: " + said);
        }
    }
}
