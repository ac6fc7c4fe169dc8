package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A thread opens a channel at the very moment at which another one of its process has created it. */
class OpenWhileCreatedTest {
    private static final int ROUNDS = 500;

    @TempDir
    Path folder;

    @Test
    @EnabledOnOs(OS.LINUX)
    void whoOpensItHasItsLocks() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Path file = folder.resolve(i + ".ipc");
            CompletableFuture<IpcChannel> created = new CompletableFuture<>();
            CompletableFuture<Void> creating = Await.inBackground(
                    "creator", () -> created.complete(IpcChannel.create(file, ChannelSettings.onePublisher(4096))));
            IpcChannel opened = openOnceThere(file);
            Await.done(creating);
            try (IpcChannel first = created.join()) {
                assertThat(locks(file)).as("round %d", i).isPositive();
                opened.close();
                assertThat(first).isNotNull();
            }
        }
    }

    private static IpcChannel openOnceThere(Path file) throws IOException {
        while (true) {
            try {
                return IpcChannel.open(file);
            } catch (NoSuchFileException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** Returns how many kernel locks there are of a file. */
    private static long locks(Path file) throws IOException {
        Object inode = Files.getAttribute(file, "unix:ino");
        try (var lines = Files.lines(Path.of("/proc/locks"))) {
            return lines.filter(line -> line.contains(":" + inode + " ")).count();
        }
    }
}
