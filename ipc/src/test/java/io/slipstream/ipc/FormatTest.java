package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.ipc.file.Layout;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that {@code docs/ipc-format.md} shows are those that are written, and C opens what they describe. */
class FormatTest {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    @TempDir
    Path folder;

    private static String lines(byte[] bytes, int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int at = from; at < to; at += 16) {
            lines.append("    ")
                    .append(HEX.formatHex(bytes, at, Math.min(at + 16, to)))
                    .append('\n');
        }
        return lines.toString();
    }

    @Test
    void headerAndRingAreThoseOfTheDocument() throws Exception {
        ChannelSettings settings = new ChannelSettings(4096, true, 4, true);
        byte[] header = layout(settings, 1_700_000_000_000L, 0x1122_3344_5566_7788L)
                .header()
                .array();
        String document = Files.readString(Path.of("../docs/ipc-format.md"));
        assertThat(document).contains(lines(header, 0, header.length));
        Path file = folder.resolve("golden.ipc");
        try (IpcChannel channel = IpcChannel.create(file, settings);
                IpcPublisher publisher = channel.newPublisher("golden")) {
            publisher.publish(message("abc"));
            publisher.publish(message("0123456789"));
        }
        byte[] bytes = Files.readAllBytes(file);
        Layout layout = layout(settings, 0, 0);
        assertThat(document)
                .contains("stamps\n\n" + lines(bytes, (int) layout.stampsOffset(), (int) layout.stampsOffset() + 24));
        assertThat(document)
                .contains("ring\n\n" + lines(bytes, (int) layout.dataOffset(), (int) layout.dataOffset() + 48));
    }

    private static MemorySegment message(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void cOpensWhatTheDocumentShows() throws Exception {
        CPeer.program();
        ChannelSettings settings = new ChannelSettings(4096, true, 4, true);
        Layout layout = layout(settings, 1_700_000_000_000L, 0x1122_3344_5566_7788L);
        byte[] bytes = Arrays.copyOf(layout.header().array(), (int) layout.fileBytes());
        Path file = write(bytes);
        assertThat(Await.exitCode(CPeer.start(Map.of(), "open", file.toString())))
                .isZero();
        bytes[8] = 2;
        write(bytes);
        assertThat(Await.exitCode(CPeer.start(Map.of(), "open", file.toString())))
                .isEqualTo(3);
    }

    private Path write(byte[] bytes) throws IOException {
        Path file = folder.resolve("c.ipc");
        Files.write(file, bytes);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Layout layout(ChannelSettings settings, long createdMillis, long id) {
        return Layout.of(
                settings.capacity(), settings.manyPublishers(), settings.parties(), settings.kept(), createdMillis, id);
    }
}
