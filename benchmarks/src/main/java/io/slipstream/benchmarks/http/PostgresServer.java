package io.slipstream.benchmarks.http;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL of Debian with its usual settings, in a folder that is removed afterwards. */
final class PostgresServer implements AutoCloseable {
    private static final Path HOME = Path.of("/usr/lib/postgresql");

    private final Path bin;
    private final Path folder;
    private final int port;

    PostgresServer() throws IOException {
        bin = programs().orElseThrow(() -> new IOException("there is no PostgreSQL in " + HOME));
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        // It refuses to be root, and its user must reach the folder.
        folder = Files.createTempDirectory("slipstream-postgres");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path data = folder.resolve("data");
        run(bin.resolve("initdb").toString(), "-A", "trust", "-U", "postgres", "--no-locale", "-D", data.toString());
        run(
                bin.resolve("pg_ctl").toString(),
                "-D",
                data.toString(),
                "-l",
                folder.resolve("log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder,
                "-w",
                "start");
    }

    static boolean isInstalled() {
        return programs().isPresent();
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    @Override
    public void close() throws IOException {
        run(bin.resolve("pg_ctl").toString(), "-D", folder.resolve("data").toString(), "-m", "immediate", "stop");
        run(
                "rm",
                "-rf",
                folder.resolve("data").toString(),
                folder.resolve("log").toString());
        Files.deleteIfExists(folder);
    }

    private static Optional<Path> programs() {
        if (!Files.isDirectory(HOME)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(HOME)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(each -> Files.isExecutable(each.resolve("initdb")))
                    .max(Path::compareTo);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void run(String... words) throws IOException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.addAll(List.of(words));
        Path said = Files.createTempFile("slipstream-postgres", ".out");
        try {
            // A server that is started keeps its output open: a pipe would not end.
            int code = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IOException(
                        String.join(" ", words) + " has failed: " + Files.readString(said, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(words[0] + " was interrupted", e);
        } finally {
            Files.delete(said);
        }
    }
}
