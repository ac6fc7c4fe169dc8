package io.slipstream.benchmarks.cluster;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Folders on the disk that is measured, and ports that are free. */
final class Folders {
    private static final int FIRST_PORT = 12_000;
    private static final int LAST_PORT = 32_000;

    private Folders() {}

    static Path create() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target", "cluster")), "round");
    }

    static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    /** Returns the first of so many ports that are free, one behind the other. */
    static int ports(int count) {
        while (true) {
            int first = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            if (areFree(first, count)) {
                return first;
            }
        }
    }

    private static boolean areFree(int first, int count) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        for (int port = first; port < first + count; port++) {
            try (ServerSocket stream = new ServerSocket(port, 1, loopback);
                    DatagramSocket datagrams = new DatagramSocket(port, loopback)) {
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
