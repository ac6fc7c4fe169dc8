package io.slipstream.cli.service;

import io.slipstream.ipc.IpcChannel;
import io.slipstream.service.ServiceConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A service in shared memory: an option of every command that serves. */
public final class MemoryOptions {
    @Option(
            names = "--ipc",
            paramLabel = "NAME",
            description = "Serves clients of this machine and user through shared memory, too: they connect to "
                    + "ipc:NAME. So does the HTTP gateway of this process. See docs/ipc.md.")
    private @Nullable String name;

    /** Creates the options; picocli fills them in. */
    public MemoryOptions() {}

    /** Returns the settings with the door in shared memory, if there is to be one. */
    public ServiceConfig applyTo(ServiceConfig config) {
        Path door = door();
        return door == null ? config : config.withSharedMemory(door);
    }

    /** Returns the door in shared memory, or null if there is to be none. */
    @Nullable
    Path door() {
        return name == null ? null : IpcChannel.named(name);
    }

    /** Says where it is, if there is one. */
    public void tell(PrintWriter out) {
        if (name != null) {
            out.printf(Locale.ROOT, "Clients of this machine reach it through shared memory at ipc:%s.%n", name);
        }
    }
}
