package io.slipstream.benchmarks.ipc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The same parts by iceoryx2, in Rust, built once by cargo from crates.io. */
final class IceoryxProgram {
    static final String NAME = "iceoryx2 0.9.3 (Rust)";

    private static final Path PROJECT = Path.of("target", "iceoryx").toAbsolutePath();
    private static final Path PROGRAM = PROJECT.resolve("target/release/part");
    private static final List<String> SOURCES = List.of("Cargo.toml", "part.rs");

    private IceoryxProgram() {}

    /** Returns whether it is built, or can be; says why not. */
    static boolean isThere() {
        try {
            if (!isBuilt()) {
                build();
            }
            return true;
        } catch (IOException e) {
            System.err.println("ipc: nothing is measured beside iceoryx2: " + e.getMessage());
            return false;
        }
    }

    static List<String> command(String role, Path folder) {
        return List.of(PROGRAM.toString(), role, String.valueOf(folder.getFileName()));
    }

    private static boolean isBuilt() throws IOException {
        for (String file : SOURCES) {
            if (!Files.exists(PROJECT.resolve(file))
                    || !Arrays.equals(source(file), Files.readAllBytes(PROJECT.resolve(file)))) {
                return false;
            }
        }
        return Files.isExecutable(PROGRAM);
    }

    private static byte[] source(String file) throws IOException {
        try (InputStream source = IceoryxProgram.class.getResourceAsStream("iceoryx/" + file)) {
            return Objects.requireNonNull(source, file).readAllBytes();
        }
    }

    private static void build() throws IOException {
        Files.createDirectories(PROJECT);
        Files.deleteIfExists(PROGRAM);
        for (String file : SOURCES) {
            Files.write(PROJECT.resolve(file), source(file));
        }
        Process cargo = new ProcessBuilder("cargo", "build", "--release", "--quiet")
                .directory(PROJECT.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(cargo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (cargo.onExit().join().exitValue() != 0) {
            throw new IOException("cargo: " + said);
        }
    }
}
