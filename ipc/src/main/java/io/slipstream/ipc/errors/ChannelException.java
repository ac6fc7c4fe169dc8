package io.slipstream.ipc.errors;

import java.io.IOException;
import java.nio.file.Path;

/** A file cannot be used as a channel, or not in this way; the message says why. */
public final class ChannelException extends IOException {
    private static final long serialVersionUID = 1;

    public ChannelException(Path file, String reason) {
        super("cannot use " + file + " as a channel: " + reason);
    }
}
