package io.slipstream.data.host;

import io.slipstream.core.thread.Undisturbed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Forces what was written to the device: what a loss of power must leave. */
public final class Device {
    private Device() {}

    /** Forces a file, with what was written to it through any channel or mapping. */
    public static void forceFile(Path file) throws IOException {
        force(file, StandardOpenOption.WRITE);
    }

    /** Forces the names of the files that are in a folder. */
    public static void forceFolder(Path folder) throws IOException {
        force(folder, StandardOpenOption.READ);
    }

    private static void force(Path path, OpenOption option) throws IOException {
        Undisturbed.call(() -> {
            try (FileChannel channel = FileChannel.open(path, option)) {
                channel.force(true);
            }
            return path;
        });
    }
}
