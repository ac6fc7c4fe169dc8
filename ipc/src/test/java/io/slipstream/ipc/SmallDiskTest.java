package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallDiskTest {
    @TempDir
    Path folder;

    private static int run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void noRoomIsAnExceptionAtCreationAndLeavesNothing() throws Exception {
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", folder.toString()) == 0,
                "no right to mount a small file system here");
        try {
            assertThatThrownBy(() -> IpcChannel.create(folder.resolve("a.ipc"), ChannelSettings.onePublisher(1 << 20)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("make room")
                    .hasMessageContaining("a.ipc");
            assertThat(Files.list(folder)).isEmpty();
            try (IpcChannel channel =
                            IpcChannel.create(folder.resolve("a.ipc"), ChannelSettings.onePublisher(1 << 16));
                    IpcPublisher publisher = channel.newPublisher("p")) {
                run("dd", "if=/dev/zero", "of=" + folder.resolve("fill"), "bs=4k");
                for (int number = 0; number < 5_000; number++) {
                    Channels.publish(publisher, number, 200);
                }
                assertThat(channel.tail()).isGreaterThan(1 << 16);
            }
        } finally {
            run("umount", folder.toString());
        }
    }
}
