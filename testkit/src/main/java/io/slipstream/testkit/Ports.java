package io.slipstream.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that no other test of this machine uses until the process ends, for what is started, killed and started again
 * at the same one. They lie below those that the system gives to connections, and a locked file in the folder for
 * temporary files stands for each, so that tests of other modules, which run at the same time, pass over it.
 */
public final class Ports {
    private static final int FIRST = 12_000;
    /* A grid of members has those from here on. If both looked for the same, each would end locks of the other: the
    system ends a lock when any channel of its file is closed. */
    private static final int LAST = 20_000;
    private static final int ATTEMPTS = 1_000;
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"), "slipstream-ports");

    /* Held until the process ends. A lock of the system ends when any channel of its file is closed, so a port that is
    here is not looked at again. */
    private static final Map<Integer, FileChannel> LOCKS = new HashMap<>();

    private Ports() {}

    /** Returns a port that is free for TCP and UDP. */
    public static int free() {
        return block(1);
    }

    /** Returns the first of {@code count} free ports in a row. */
    public static synchronized int block(int count) {
        try {
            Files.createDirectories(FOLDER);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                int first = ThreadLocalRandom.current().nextInt(FIRST, LAST - count);
                if (reserve(first, count)) {
                    return first;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no " + count + " free ports in a row between " + FIRST + " and " + LAST);
    }

    private static boolean reserve(int first, int count) throws IOException {
        List<Integer> taken = new ArrayList<>();
        for (int port = first; port < first + count; port++) {
            if (LOCKS.containsKey(port) || !lock(port)) {
                giveBack(taken);
                return false;
            }
            taken.add(port);
            if (!isFree(port)) {
                giveBack(taken);
                return false;
            }
        }
        return true;
    }

    private static void giveBack(List<Integer> ports) throws IOException {
        for (int port : ports) {
            Objects.requireNonNull(LOCKS.remove(port)).close();
        }
    }

    private static boolean lock(int port) throws IOException {
        FileChannel channel = FileChannel.open(
                FOLDER.resolve(Integer.toString(port)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            return false;
        }
        LOCKS.put(port, channel);
        return true;
    }

    private static boolean isFree(int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket stream = new ServerSocket(port, 1, loopback);
                DatagramSocket datagrams = new DatagramSocket(new InetSocketAddress(loopback, port))) {
            return stream.getLocalPort() == datagrams.getLocalPort();
        } catch (IOException e) {
            return false;
        }
    }
}
