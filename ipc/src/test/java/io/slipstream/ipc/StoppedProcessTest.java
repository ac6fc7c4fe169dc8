package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that was stopped lives: publishers drop it only if it has said so, and it hears of it when it goes on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StoppedProcessTest {
    private static final int MOST = 300;

    @TempDir
    Path folder;

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStoppedObserverIsDroppedWhenPatienceEndsAndIsToldWhatItMissed(boolean many) throws Exception {
        try (IpcChannel channel =
                        IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(8192, many, 6, false));
                IpcPublisher publisher = channel.newPublisher("p")) {
            Process child = PublishingProcess.start("observe", channel.file());
            try (BufferedReader said = child.inputReader()) {
                assertThat(said.readLine()).isEqualTo("attached");
                signal("STOP", child);
                long number = 0;
                while (channel.parties().stream().noneMatch(Party::dropped)) {
                    Channels.tryPublish(publisher, number++, MOST);
                }
                assertThat(channel.parties())
                        .filteredOn(Party::dropped)
                        .singleElement()
                        .matches(Party::alive);
                for (int i = 0; i < 500; i++) {
                    Channels.publish(publisher, i, MOST);
                }
                signal("CONT", child);
                String dropped = said.readLine();
                assertThat(dropped).startsWith("dropped, and missed ");
                assertThat(Long.parseLong(dropped.substring(dropped.lastIndexOf(' ') + 1)))
                        .isPositive();
            } finally {
                child.destroyForcibly().waitFor();
            }
        }
    }
}
