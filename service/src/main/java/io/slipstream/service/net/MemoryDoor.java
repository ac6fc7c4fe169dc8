package io.slipstream.service.net;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/**
 * Where a service is found in shared memory: a channel of its own, which says who the service is and that it lives, and
 * beside it a socket at which clients knock.
 *
 * <pre>
 *   NAME.ipc                    the door: its only publisher is the service
 *   NAME.socket                 a client knocks, and each side wakes the other one by it
 *   NAME.0123456789abcdef.commands.ipc, ...answers.ipc      the channels of one client
 * </pre>
 */
public final class MemoryDoor implements AutoCloseable {
    private static final String SUFFIX = ".ipc";
    private static final int RING_BYTES = 4096;
    private static final int LONGEST_SOCKET_PATH = 107;

    private final Path door;
    private final IpcChannel channel;
    private final ServerSocketChannel server;

    /**
     * Opens the door.
     *
     * @throws IOException if another service has opened it, or it cannot be made; the message says why
     */
    public MemoryDoor(Path door, int backlog) throws IOException {
        this.door = door;
        Path socket = socket(door);
        this.channel = IpcChannel.openOrCreate(door, ChannelSettings.onePublisher(RING_BYTES));
        ServerSocketChannel opened = null;
        try {
            channel.newPublisher("service", WaitStrategy.backoff());
            // Its owner was killed: nobody but the publisher of the channel listens there.
            Files.deleteIfExists(socket);
            sweep(door);
            opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            opened.bind(UnixDomainSocketAddress.of(socket), backlog);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            opened.configureBlocking(false);
            this.server = opened;
        } catch (IOException | RuntimeException e) {
            if (opened != null) {
                opened.close();
            }
            channel.close();
            throw new IOException("cannot serve in shared memory at " + door + ": " + e.getMessage(), e);
        }
    }

    /** Returns the socket at which clients knock. */
    public ServerSocketChannel server() {
        return server;
    }

    /** Returns the door. */
    public Path path() {
        return door;
    }

    /**
     * Returns the socket of a door.
     *
     * @throws IOException if its name is longer than the system allows
     */
    static Path socket(Path door) throws IOException {
        Path socket = door.toAbsolutePath().resolveSibling(name(door) + ".socket");
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_SOCKET_PATH) {
            throw new IOException("the name of a socket has at most " + LONGEST_SOCKET_PATH + " bytes, and " + socket
                    + " has " + bytes + "; choose a shorter one");
        }
        return socket;
    }

    static Path commands(Path door, long id) {
        return door.toAbsolutePath().resolveSibling(prefix(door, id) + ".commands" + SUFFIX);
    }

    static Path answers(Path door, long id) {
        return door.toAbsolutePath().resolveSibling(prefix(door, id) + ".answers" + SUFFIX);
    }

    private static String prefix(Path door, long id) {
        return name(door) + "." + String.format(Locale.ROOT, "%016x", id);
    }

    private static String name(Path door) {
        String file = String.valueOf(door.getFileName());
        return file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : file;
    }

    /** Removes channels of clients that were killed together with their service. */
    private static void sweep(Path door) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(
                door.toAbsolutePath().resolveSibling(""),
                name(door) + ".????????????????.{commands,answers}" + SUFFIX)) {
            for (Path file : left) {
                try {
                    IpcChannel.removeUnused(file);
                } catch (IOException e) {
                    // Its client is just removing it.
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(socket(door));
        channel.close();
    }
}
