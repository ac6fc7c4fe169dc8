package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process of another PID and mount namespace, as in a container that shares the folder: its process number means
 * nothing here, and the kernel lock says all the same whether it lives.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class NamespaceTest {
    private static final int MOST = 300;
    private static final int KILLED = 128 + 9;

    @TempDir
    Path folder;

    private static List<String> inNamespaces(String... command) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(List.of("unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"));
        all.addAll(List.of(command));
        return all;
    }

    private static void requireNamespaces() throws IOException, InterruptedException {
        boolean possible;
        try {
            possible = new ProcessBuilder(inNamespaces("true"))
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            possible = false;
        }
        Assumptions.assumeTrue(possible, "no right to make namespaces here, or no unshare");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPublisherOfAnotherNamespaceIsReadAndItsDeathIsNoticed(boolean many) throws Exception {
        Path program = CPeer.program();
        requireNamespaces();
        try (IpcChannel channel = IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(4096, many, 4, true));
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            // The first process of a namespace cannot kill itself, so a shell is that.
            ProcessBuilder builder = new ProcessBuilder(inNamespaces(
                            "sh",
                            "-c",
                            "\"$@\"; exit $?",
                            "sh",
                            program.toString(),
                            "publish",
                            channel.file().toString(),
                            "elsewhere",
                            "0",
                            "1000000",
                            "" + MOST))
                    .inheritIO();
            builder.environment().putAll(Map.of("DIE_AT", "claimed", "DIE_HIT", "200"));
            Process elsewhere = builder.start();
            List<Long> seen = new ArrayList<>();
            boolean told = false;
            while (elsewhere.isAlive()) {
                seen.addAll(Channels.drain(subscriber, MOST));
                told |= channel.parties().stream()
                        .anyMatch(party -> party.name().equals("elsewhere") && party.alive());
            }
            assertThat(elsewhere.exitValue()).as("killed").isEqualTo(KILLED);
            seen.addAll(Channels.drain(subscriber, MOST));
            assertThat(told).isTrue();
            try (IpcPublisher next = channel.newPublisher("next")) {
                Channels.publish(next, 5_000_000, MOST);
            }
            while (seen.isEmpty() || seen.getLast() != 5_000_000) {
                seen.addAll(Channels.drain(subscriber, MOST));
            }
            assertThat(seen.subList(0, seen.size() - 1))
                    .hasSizeBetween(100, 200)
                    .isEqualTo(LongStream.range(0, seen.size() - 1).boxed().toList());
            assertThat(channel.parties()).extracting(Party::name).containsExactly("s");
        }
    }
}
