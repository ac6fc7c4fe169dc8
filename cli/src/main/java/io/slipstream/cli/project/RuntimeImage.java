package io.slipstream.cli.project;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A folder that runs the command without a JDK: {@code runtime} is linked from the modules of the JDK, {@code app} has
 * the jars, since those of automatic modules cannot be linked, and {@code bin} the launcher.
 */
final class RuntimeImage {
    private static final String MODULES = "java.base,java.compiler,java.logging,java.management,"
            + "java.naming,java.xml,jdk.attach,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs";
    private static final String CACHE = "slipstream.aot";
    private static final String NATIVE = "--enable-native-access=io.slipstream.core,io.slipstream.ipc";
    private static final String AERON =
            "--add-opens=java.base/jdk.internal.misc=org.agrona --sun-misc-unsafe-memory-access=allow";
    private static final String MAIN = "io.slipstream.cli/io.slipstream.cli.Main";
    private static final int TRAINING_COMMANDS = 20_000;

    private final Path folder;

    RuntimeImage(Path folder) {
        this.folder = folder;
    }

    /** Links the runtime. */
    void link() throws IOException {
        Files.createDirectories(folder);
        run(
                "jlink",
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--no-man-pages",
                "--no-header-files",
                "--compress",
                "zip-9",
                "--output",
                folder.resolve("runtime").toString());
    }

    /** Copies the modules of this process; folders of classes become jars. */
    void copyModules() throws IOException {
        Path app = Files.createDirectories(folder.resolve("app"));
        for (String each : System.getProperty("jdk.module.path", "").split(File.pathSeparator, -1)) {
            Path entry = Path.of(each);
            if (Files.exists(entry.resolve("module-info.class"))) {
                String name = ModuleFinder.of(entry)
                        .findAll()
                        .iterator()
                        .next()
                        .descriptor()
                        .name();
                run("jar", "--create", "--file", app.resolve(name + ".jar").toString(), "-C", each, ".");
            } else if (Files.isDirectory(entry)) {
                try (Stream<Path> jars = Files.list(entry)) {
                    for (Path jar : jars.filter(file -> file.toString().endsWith(".jar"))
                            .toList()) {
                        Files.copy(jar, app.resolve(jar.getFileName()));
                    }
                }
            } else if (Files.exists(entry)) {
                Files.copy(entry, app.resolve(entry.getFileName()));
            }
        }
    }

    /** Writes the script that starts it. */
    void writeLauncher() throws IOException {
        Path launcher = Files.createDirectories(folder.resolve("bin")).resolve("slipstream");
        Files.writeString(launcher, String.format(Locale.ROOT, """
            #!/bin/sh
            # Runs the slipstream command. SLIPSTREAM_JAVA_OPTIONS has options for the JVM.
            set -eu
            self=$(readlink -f "$0" 2>/dev/null || echo "$0")
            home=$(CDPATH='' cd -- "$(dirname -- "$self")/.." && pwd)
            cache=
            # The JVM does not use one cache while it makes another. Verified, a damaged one is not used, and
            # does not end the JVM.
            case ${SLIPSTREAM_JAVA_OPTIONS:-} in
              *-XX:AOT*) ;;
              *)
                [ ! -f "$home/app/%1$s" ] ||
                  cache="-XX:AOTCache=$home/app/%1$s -XX:+VerifySharedSpaces -Xlog:aot*=off -Xlog:cds*=off"
                ;;
            esac
            # Aeron, on which a cluster runs, wants the JDK's own class for memory; nothing else here does.
            aeron=
            opened='%4$s'
            case " $* " in
              *" --cluster"* | *" cluster "*) aeron=$opened ;;
              *" --config"*)
                for each; do
                  ! grep -qs '^ *cluster *=' -- "${each#--config=}" 2>/dev/null || aeron=$opened
                done
                ;;
              *" journal "*)
                for each; do
                  [ ! -f "$each/archive/archive.catalog" ] || aeron=$opened
                done
                ;;
            esac
            # shellcheck disable=SC2086 # options, not one word
            exec "$home/runtime/bin/java" $cache $aeron %2$s ${SLIPSTREAM_JAVA_OPTIONS:-} -p "$home/app" \\
              -m %3$s "$@"
            """, CACHE, NATIVE, MAIN, AERON));
        // For all: the service runs as another user than the one who makes the package.
        if (!launcher.toFile().setExecutable(true, false)) {
            throw new IOException(launcher + " cannot be made executable");
        }
    }

    /** Runs an exchange under load for a moment, and keeps what the JVM has learnt of its classes. */
    void train() throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("slipstream-training");
        try {
            Process server = java(
                    "-XX:AOTCacheOutput=" + folder.resolve("app").resolve(CACHE),
                    "serve",
                    "exchange",
                    "--dir",
                    data.resolve("exchange").toString(),
                    "--port",
                    "0",
                    "--http",
                    "0",
                    "--level",
                    "PROCESS");
            try {
                StringBuilder said = new StringBuilder();
                BufferedReader lines = server.inputReader();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    said.append(line).append(System.lineSeparator());
                    if (line.startsWith("Serving")) {
                        load(line.substring(line.lastIndexOf(':', line.indexOf(" at level")) + 1)
                                .split(" ", 2)[0]);
                        // By its handle: Process.destroy would close its output, too.
                        server.toHandle().destroy();
                    }
                }
                if (server.waitFor() != 0) {
                    throw new IOException("the training run has failed: " + said);
                }
            } finally {
                server.destroyForcibly();
            }
        } finally {
            delete(data);
        }
    }

    private void load(String port) throws IOException, InterruptedException {
        Process load = java(
                "-Xlog:disable",
                "load",
                "exchange",
                "--port",
                port,
                "--rate",
                Integer.toString(TRAINING_COMMANDS),
                "--seconds",
                "1");
        load.getInputStream().readAllBytes();
        load.waitFor();
    }

    private Process java(String option, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                folder.resolve("runtime/bin/java").toString(),
                option,
                NATIVE,
                "-Xlog:aot*=off",
                "-Xlog:cds*=off",
                "-p",
                folder.resolve("app").toString(),
                "-m",
                MAIN));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Writes the folder as one compressed file. */
    void archive(Path file) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder(
                        "tar",
                        "-czf",
                        file.toString(),
                        "-C",
                        String.valueOf(folder.getParent()),
                        String.valueOf(folder.getFileName()))
                .redirectErrorStream(true)
                .start();
        String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tar.waitFor() != 0) {
            throw new IOException("tar has failed: " + said);
        }
    }

    /** Returns how large the folder is. */
    long bytes() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static void run(String tool, String... arguments) throws IOException {
        ToolProvider provider = ToolProvider.findFirst(tool)
                .orElseThrow(() -> new IOException("this Java has no " + tool + "; a JDK is needed to make a package"));
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        if (provider.run(writer, writer, arguments) != 0) {
            throw new IOException(tool + " has failed: " + said);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
