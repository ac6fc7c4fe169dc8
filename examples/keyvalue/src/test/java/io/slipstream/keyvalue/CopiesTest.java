package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.MovedBytes;
import io.slipstream.testkit.PathTable;
import io.slipstream.testkit.TwinLoader;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts in a running store who copies a value that comes and one that goes, and holds the table in
 * {@code docs/architecture.md} to that.
 */
class CopiesTest {
    private static final int COMES = 1000;
    private static final int GOES = 1700;
    private static final int BEFORE = 12;

    @TempDir
    Path folder;

    @Test
    void aValueIsCopiedAndWalkedOverAsTheDocumentSays() throws Exception {
        Object store = TwinLoader.counting()
                .loadClass(CountedStore.class.getName())
                .getConstructor(Path.class)
                .newInstance(folder);
        try (AutoCloseable _ = (AutoCloseable) store;
                RespClient client = new RespClient(new Socket("127.0.0.1", ((IntSupplier) store).getAsInt()))) {
            for (int i = 0; i < BEFORE; i++) {
                exchange(client);
            }
            assertThat(client.call("SET", "key", "a".repeat(GOES))).isEqualTo("+OK");
            MovedBytes.begin();
            Object former = client.call("SET", "key", "b".repeat(COMES), "GET");
            MovedBytes.end();
            assertThat(former).isEqualTo("a".repeat(GOES));
        }
        assertThat(List.of(found(COMES), found(GOES)))
                .containsExactly(PathTable.row("command, RESP"), PathTable.row("reply, RESP"));
    }

    private static void exchange(RespClient client) throws IOException {
        assertThat(client.call("SET", "key", "a".repeat(GOES))).isEqualTo("+OK");
        assertThat(client.call("SET", "key", "b".repeat(COMES), "GET")).isEqualTo("a".repeat(GOES));
    }

    private static PathTable.Row found(int bytes) {
        return new PathTable.Row(MovedBytes.copies(bytes), List.copyOf(MovedBytes.walks(bytes)));
    }
}
