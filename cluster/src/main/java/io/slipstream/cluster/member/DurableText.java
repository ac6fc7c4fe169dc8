package io.slipstream.cluster.member;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A short file that is there as a whole, in its former version or the new one, even after a loss of power. */
final class DurableText {
    private DurableText() {}

    static void write(Path directory, String name, String text) throws IOException {
        Path draft = directory.resolve(name + ".new");
        try (FileChannel out = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            out.force(true);
        }
        Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
