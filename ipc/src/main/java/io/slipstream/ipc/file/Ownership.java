package io.slipstream.ipc.file;

import io.slipstream.ipc.errors.ChannelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Whether a file is the caller's own and closed to others. A system that has no such notion is not asked. */
public final class Ownership {
    private static final Path SELF = Path.of("/proc/self");
    private static final int OTHERS = 0077;

    private Ownership() {}

    /** Refuses a file that belongs to another user, or that others may open. */
    public static void check(Path file) throws IOException {
        int owner;
        int self;
        int mode;
        try {
            owner = (int) Files.getAttribute(file, "unix:uid");
            mode = (int) Files.getAttribute(file, "unix:mode");
            self = (int) Files.getAttribute(SELF, "unix:uid");
        } catch (UnsupportedOperationException | IllegalArgumentException | NoSuchFileException e) {
            return;
        }
        if (!Files.isRegularFile(file)) {
            throw new ChannelException(file, "it is no regular file");
        }
        if (owner != self) {
            throw new ChannelException(file, "it belongs to user " + owner + ", and this process runs as user " + self);
        }
        if ((mode & OTHERS) != 0) {
            throw new ChannelException(
                    file, "others may open it (mode " + Integer.toOctalString(mode & 0777) + "); chmod 600 it");
        }
    }
}
