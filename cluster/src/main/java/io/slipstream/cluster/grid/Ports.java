package io.slipstream.cluster.grid;

import io.slipstream.cluster.config.MemberAddress;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.CloseHelper;

/**
 * Finds blocks of ports that are free, below those that the system gives to connections. A locked file in the folder
 * for temporary files stands for each port, so that the tests of other processes, which run at the same time, pass over
 * it.
 */
final class Ports {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"), "slipstream-ports");

    /* By block. A lock of the system ends when any channel of its file is closed, so a block that is here is not looked
    at again. */
    private static final Map<Integer, List<FileChannel>> LOCKS = new HashMap<>();

    private Ports() {}

    static synchronized int block() throws IOException {
        Files.createDirectories(FOLDER);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int block = ThreadLocalRandom.current().nextInt(FIRST, LAST) / 10 * 10;
            if (!LOCKS.containsKey(block) && reserve(block)) {
                return block;
            }
        }
        throw new IOException(
                "there are no " + MemberAddress.PORTS + " free ports in a row between " + FIRST + " and " + LAST);
    }

    /** Lets others have the ports of a block. */
    static synchronized void giveBack(int block) {
        CloseHelper.quietCloseAll(LOCKS.remove(block));
    }

    private static boolean reserve(int block) throws IOException {
        List<FileChannel> locks = new ArrayList<>();
        LOCKS.put(block, locks);
        for (int port = block; port < block + MemberAddress.PORTS; port++) {
            if (!lock(port, locks)) {
                giveBack(block);
                return false;
            }
        }
        if (!isFree(block)) {
            giveBack(block);
            return false;
        }
        return true;
    }

    private static boolean lock(int port, List<FileChannel> locks) throws IOException {
        FileChannel channel = FileChannel.open(
                FOLDER.resolve(Integer.toString(port)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        locks.add(channel);
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Another class of this process has it.
            return false;
        }
    }

    private static boolean isFree(int block) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        for (int port = block; port < block + MemberAddress.PORTS; port++) {
            try (ServerSocket stream = new ServerSocket(port, 1, loopback);
                    DatagramSocket datagrams = new DatagramSocket(new InetSocketAddress(loopback, port))) {
                if (stream.getLocalPort() != datagrams.getLocalPort()) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
