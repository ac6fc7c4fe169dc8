package io.slipstream.benchmarks.ipc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** The same parts by iceoryx2, in Rust, built once by cargo from crates.io. */
final class IceoryxProgram {
    static final String NAME = "iceoryx2 0.9.3 (Rust)";

    private static final Path PROJECT = Path.of("target", "iceoryx").toAbsolutePath();
    private static final Path PROGRAM = PROJECT.resolve("target/release/part");

    private IceoryxProgram() {}

    /** Returns whether it is built, or can be; says why not. */
    static boolean isThere() {
        try {
            if (!Files.isExecutable(PROGRAM)) {
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

    private static void build() throws IOException {
        Files.createDirectories(PROJECT);
        for (String file : new String[] {"Cargo.toml", "part.rs"}) {
            try (InputStream source = IceoryxProgram.class.getResourceAsStream("iceoryx/" + file)) {
                Files.copy(
                        Objects.requireNonNull(source, file),
                        PROJECT.resolve(file),
                        StandardCopyOption.REPLACE_EXISTING);
            }
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
