package io.slipstream.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.SplittableRandom;

/** A wire that is cut, in either direction, after a random number of bytes. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final int meanBytes;
    private final SplittableRandom random;
    private volatile int cuts;
    private volatile boolean good;

    CuttingProxy(int target, int meanBytes, long seed) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        this.meanBytes = meanBytes;
        this.random = new SplittableRandom(seed);
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    int cuts() {
        return cuts;
    }

    /** Cuts none of the connections that come from here on. */
    void beGood() {
        good = true;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket service = new Socket(InetAddress.getLoopbackAddress(), target);
                int forth = good ? Integer.MAX_VALUE : random.nextInt(1, 2 * meanBytes);
                int back = good ? Integer.MAX_VALUE : random.nextInt(1, 2 * meanBytes);
                Thread.ofVirtual().start(() -> pump(client, service, forth));
                Thread.ofVirtual().start(() -> pump(service, client, back));
            } catch (IOException e) {
                // The proxy was closed, or the service is not there; the client tries again.
            }
        }
    }

    private void pump(Socket from, Socket to, int bytesUntilCut) {
        byte[] buffer = new byte[1000];
        int left = bytesUntilCut;
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int read;
            while ((read = in.read(buffer)) >= 0) {
                out.write(buffer, 0, Math.min(read, left));
                out.flush();
                left -= left == Integer.MAX_VALUE ? 0 : read;
                if (left <= 0) {
                    cuts++;
                    return;
                }
            }
        } catch (IOException e) {
            // Cut from the other side.
        }
    }
}
