package io.slipstream.cluster.grid;

import io.slipstream.cluster.config.MemberAddress;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Finds blocks of ports that are free, below those that the system gives to connections. */
final class Ports {
    private static final int FIRST = 12_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 1_000;

    /* Of this process: two grids that start at once must not be given the same. */
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    static synchronized int block() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int block = ThreadLocalRandom.current().nextInt(FIRST, LAST) / 10 * 10;
            if (!GIVEN.contains(block) && isFree(block)) {
                GIVEN.add(block);
                return block;
            }
        }
        throw new IOException(
                "there are no " + MemberAddress.PORTS + " free ports in a row between " + FIRST + " and " + LAST);
    }

    static synchronized void giveBack(int block) {
        GIVEN.remove(block);
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
