package io.slipstream.cli.ipc;

import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.Party;
import io.slipstream.ipc.errors.ChannelException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code slipstream ipc list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the channels of a folder, and why a file is none.")
final class ListCommand implements Callable<Integer> {
    @Option(names = "--folder", paramLabel = "DIR", description = "Where to look; /dev/shm if it is not given.")
    private Path folder = IpcChannel.folder();

    @Override
    public Integer call() throws IOException {
        System.out.printf(Locale.ROOT, "%-32s %10s %5s %12s %7s%n", "CHANNEL", "RING", "MODE", "BYTES", "PARTIES");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.ipc")) {
            for (Path file : files) {
                line(file);
            }
        }
        return 0;
    }

    private static void line(Path file) throws IOException {
        try (ChannelView view = new ChannelView(file)) {
            List<Party> parties = view.channel().parties();
            System.out.printf(
                    Locale.ROOT,
                    "%-32s %10d %5s %12d %7s%n",
                    file.getFileName(),
                    view.channel().settings().capacity(),
                    view.channel().settings().manyPublishers() ? "many" : "one",
                    view.channel().tail(),
                    parties.size());
        } catch (ChannelException | IllegalStateException e) {
            System.out.printf(Locale.ROOT, "%-32s %s%n", file.getFileName(), e.getMessage());
        }
    }
}
