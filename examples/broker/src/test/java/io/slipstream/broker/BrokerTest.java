package io.slipstream.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.PartyKind;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerTest {
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "memory"})
    void allMessagesComeThroughTheBroker(String transport) throws Exception {
        assertThat(Broker.run(transport, 2_000)).startsWith(transport + ": ").contains("million messages/s");
    }

    /** A process may start later than the one that sends to it. */
    @Test
    void aSenderWaitsForItsReceiver(@TempDir Path folder) throws Exception {
        long messages = 200_000;
        CompletableFuture<Void> sending = Await.inBackground("sender", () -> {
            try (Transport sender = MemoryTransport.sender(folder, "late")) {
                ByteBuffer message = ByteBuffer.allocateDirect(Transport.MESSAGE_BYTES);
                for (long number = 0; number < messages; number++) {
                    sender.send(message.putLong(0, number));
                }
            }
        });
        Await.until("the sender is attached", () -> isSending(folder.resolve("late.ipc")));
        try (Transport receiver = MemoryTransport.receiver(folder, "late")) {
            long[] next = {0};
            while (next[0] < messages) {
                receiver.receive((buffer, at) -> assertThat(buffer.getLong(at)).isEqualTo(next[0]++));
            }
        }
        Await.done(sending);
    }

    private static boolean isSending(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        IpcChannel channel = IpcChannel.open(file);
        try {
            return channel.parties().stream().anyMatch(party -> party.kind() == PartyKind.PUBLISHER);
        } finally {
            channel.leave();
        }
    }
}
