package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.ipc.errors.DetachedException;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reading the file of a channel in a process that uses it releases the process's locks, and others take it for dead.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LostLocksTest {
    private static final int MOST = 300;

    @TempDir
    Path folder;

    private interface Use {
        void of(IpcPublisher publisher, long claim);
    }

    /** Reads the file while a claim is open, and lets another process attach in the place of the publisher. */
    private void afterTheLoss(boolean many, Use use) throws Exception {
        try (IpcChannel channel =
                IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(1 << 16, many, 1, false))) {
            IpcPublisher publisher = channel.newPublisher("first");
            Channels.publish(publisher, 1, MOST);
            long claim = publisher.claim(100);
            assertThat(Files.readAllBytes(channel.file())).isNotEmpty();
            Process child = PublishingProcess.start("publish", channel.file());
            try (BufferedReader said = child.inputReader()) {
                assertThat(said.readLine()).isEqualTo("attached");
                use.of(publisher, claim);
            } finally {
                child.destroyForcibly().waitFor();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOpenClaimIsNotPublished(boolean many) throws Exception {
        afterTheLoss(
                many,
                (publisher, claim) ->
                        assertThatThrownBy(() -> publisher.publish(claim)).isInstanceOf(DetachedException.class));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theNextClaimFailsThoughThereWasRoom(boolean many) throws Exception {
        afterTheLoss(many, (publisher, claim) -> {
            publisher.abort(claim);
            assertThatThrownBy(() -> publisher.tryClaim(100)).isInstanceOf(DetachedException.class);
        });
    }

    /** When one looks: after a crash, when nobody else has the channel open. */
    @ParameterizedTest
    @ValueSource(strings = {"look", "observe"})
    void whoOnlyLooksLeavesTheFile(String how) throws Exception {
        Path file = folder.resolve("a.ipc");
        IpcChannel.create(file, ChannelSettings.onePublisher(1 << 16)).leave();
        Process crashed = PublishingProcess.start("publish", file);
        try (BufferedReader said = crashed.inputReader()) {
            assertThat(said.readLine()).isEqualTo("attached");
        } finally {
            crashed.destroyForcibly().waitFor();
        }
        if (how.equals("look")) {
            Process looking = PublishingProcess.start("look", file);
            try (BufferedReader said = looking.inputReader()) {
                assertThat(said.readLine()).endsWith(" messages");
            }
            assertThat(looking.waitFor()).isZero();
        } else {
            try (IpcChannel channel = IpcChannel.open(file)) {
                assertThat(channel.newObserver("o", Start.OLDEST).isEmpty()).isNotNull();
            }
        }
        assertThat(file).exists();
        try (IpcChannel channel = IpcChannel.open(file);
                IpcPublisher publisher = channel.newPublisher("next")) {
            Channels.publish(publisher, 1, MOST);
        }
        assertThat(file).doesNotExist();
    }
}
