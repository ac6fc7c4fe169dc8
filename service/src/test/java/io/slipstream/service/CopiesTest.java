package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.CountedService.Said;
import io.slipstream.service.CountedService.Say;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.typed.Operation;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.MovedBytes;
import io.slipstream.testkit.PathTable;
import io.slipstream.testkit.TwinLoader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts in a running service who copies a command and its reply, and who walks over their headers, and holds the
 * table in {@code docs/architecture.md} to that.
 */
class CopiesTest {
    private static final int COMMAND = 1000;
    private static final int REPLY = 1700;

    /** After so many replies an outbox has room for the next one. */
    private static final int BEFORE = 12;

    private static final String SERVICE = "service/src/main/java/io/slipstream/service/";
    private static final String COPY = "MemorySegment.copy(memory, offset, out, at + Message.HEADER_BYTES, length);";

    @TempDir
    Path folder;

    @Test
    void aCommandIsCopiedAndWalkedOverAsTheDocumentSays() throws Exception {
        count(TwinLoader.counting(), false, false);
        assertThat(List.of(found(COMMAND), found(REPLY)))
                .containsExactly(PathTable.row("command, native"), PathTable.row("reply, native"));
    }

    @Test
    void aCommandOfATypedMachineIsCopiedAndWalkedOverAsTheDocumentSays() throws Exception {
        count(TwinLoader.counting(), true, false);
        assertThat(List.of(found(COMMAND), found(REPLY)))
                .containsExactly(PathTable.row("command, typed"), PathTable.row("reply, typed"));
    }

    @Test
    void aCommandThatIsLoggedThroughAMappingIsCopiedAndWalkedOverAsTheDocumentSays() throws Exception {
        count(TwinLoader.counting(), false, true);
        assertThat(found(COMMAND)).isEqualTo(PathTable.row("command, native, mapped journal"));
    }

    @Test
    void aBrokenTwinThatComposesRepliesInAScratchIsFound() throws Exception {
        count(
                TwinLoader.counting(
                        folder,
                        SERVICE + "logic/Outputs.java",
                        COPY,
                        "MemorySegment.copy(memory, offset, scratch, 0, length);\n"
                                + COPY.replace("memory, offset", "scratch, 0")),
                false,
                false);
        List<String> expected = new ArrayList<>(PathTable.row("reply, native").copies());
        assertThat(found(REPLY).copies()).isNotEqualTo(expected);
        expected.add("Outputs.replyInRing");
        assertThat(found(REPLY).copies()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aBrokenTwinThatCopiesByteByByteIsFound() throws Exception {
        count(
                TwinLoader.counting(
                        folder,
                        SERVICE + "gateway/NativeProtocol.java",
                        "MemorySegment.copy(memory, offset, responses.memory(), at, length);",
                        "for (int i = 0; i < length; i++) {\n"
                                + "responses.memory().set(ValueLayout.JAVA_BYTE, at + i,\n"
                                + "memory.get(ValueLayout.JAVA_BYTE, offset + i));\n}\n"
                                + "MemorySegment.copy(memory, offset, responses.memory(), at, length);"),
                false,
                false);
        List<String> expected = new ArrayList<>(PathTable.row("reply, native").copies());
        expected.add("NativeProtocol.encode");
        assertThat(found(REPLY).copies()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aBrokenTwinThatWalksOverTheHeadersOnceMoreIsFound() throws Exception {
        count(
                TwinLoader.counting(
                        folder,
                        SERVICE + "log/JournalStage.java",
                        "if (heldBytes > 0) {\n            return releaseHeld();\n        }\n",
                        "int frames = 0;\n"
                                + "for (long at = offset; at < offset + arrived;"
                                + " at += Frame.align(Frame.length(memory, at))) {\nframes++;\n}\n"
                                + "if (heldBytes > 0 || frames < 0) {\n            return releaseHeld();\n        }\n"),
                false,
                false);
        List<String> expected = new ArrayList<>(PathTable.row("command, native").walks());
        expected.add("JournalStage.onBatch");
        assertThat(found(COMMAND).walks()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static PathTable.Row found(int payload) {
        return new PathTable.Row(MovedBytes.copies(payload), List.copyOf(MovedBytes.walks(payload)));
    }

    /** Lets such a service answer commands one by one, and counts what it does for the last one. */
    private void count(TwinLoader loader, boolean isTyped, boolean isMapped) throws Exception {
        Object service = loader.loadClass(CountedService.class.getName())
                .getConstructor(Path.class, int.class, boolean.class, boolean.class)
                .newInstance(folder.resolve("service"), REPLY, isTyped, isMapped);
        try (AutoCloseable _ = (AutoCloseable) service;
                Socket socket = new Socket("127.0.0.1", ((IntSupplier) service).getAsInt())) {
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            socket.setTcpNoDelay(true);
            RawFrames.send(socket, RawFrames.hello(7));
            assertThat(Message.type(RawFrames.receive(socket), 0)).isEqualTo(MessageType.WELCOME);
            byte[] payload = isTyped ? typed() : new byte[COMMAND];
            for (int i = 1; i <= BEFORE; i++) {
                exchange(socket, payload, i, isTyped);
            }
            MovedBytes.begin();
            exchange(socket, payload, BEFORE + 1, isTyped);
            MovedBytes.end();
        }
    }

    private static byte[] typed() {
        return CountedService.CONTRACT.operation(Say.class).codec().toBytes(new Say("a".repeat(COMMAND)));
    }

    private static void exchange(Socket socket, byte[] payload, long correlation, boolean isTyped) throws IOException {
        byte[] bytes = RawFrames.frame(MessageType.COMMAND, payload.length, Message.HEADER_BYTES + payload.length);
        System.arraycopy(payload, 0, bytes, Message.HEADER_BYTES, payload.length);
        Message.correlation(MemorySegment.ofArray(bytes), 0, correlation);
        RawFrames.send(socket, bytes);
        MemorySegment reply = RawFrames.receive(socket);
        assertThat(Message.type(reply, 0)).isEqualTo(MessageType.REPLY);
        assertThat(Message.correlation(reply, 0)).isEqualTo(correlation);
        int length = (int) reply.byteSize() - Message.HEADER_BYTES;
        if (isTyped) {
            Operation<Say, Said> say = CountedService.CONTRACT.operation(Say.class);
            Said said = say.replyCodec().decode(reply, Message.HEADER_BYTES, length);
            assertThat(said.text()).hasSize(REPLY);
        } else {
            assertThat(length).isEqualTo(REPLY);
        }
    }
}
