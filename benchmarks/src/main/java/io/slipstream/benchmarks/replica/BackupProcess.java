package io.slipstream.benchmarks.replica;

import io.slipstream.journal.config.Durability;
import io.slipstream.replica.backup.BackupSite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A backup in a process of its own, which takes the processors only while nobody else wants them: a backup on another
 * machine takes none of the primary's.
 */
final class BackupProcess implements AutoCloseable {
    private final Process process;
    private final int port;

    BackupProcess(Path folder) throws IOException {
        process = new ProcessBuilder(List.of(
                        "nice",
                        "-n",
                        "19",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BackupProcess.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = process.inputReader().readLine();
        if (said == null) {
            throw new IOException("the process of the backup has ended at once");
        }
        port = Integer.parseInt(said);
    }

    int port() {
        return port;
    }

    /** Argument: the folder. Says the port, and ends with its input. */
    public static void main(String[] args) throws IOException {
        try (BackupSite backup = Sites.backup(Path.of(args[0]), Durability.PROCESS)) {
            System.out.println(backup.port());
            while (System.in.read() >= 0) {
                // Nothing is said to it.
            }
        }
        System.exit(0);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
