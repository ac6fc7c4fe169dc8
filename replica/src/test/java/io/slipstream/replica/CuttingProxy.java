package io.slipstream.replica;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A network that cuts each connection after some bytes, and flips a bit in some; until it is told to be good. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final Random random;
    private final int mostBytes;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean damagesNext = new AtomicBoolean();
    private volatile boolean good;

    CuttingProxy(int target, long seed, int mostBytes) throws IOException {
        this.target = target;
        this.random = new Random(seed);
        this.mostBytes = mostBytes;
        Thread.ofVirtual().start(this::listen);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    void beGood() {
        good = true;
    }

    /** Flips a bit of what comes next, and lets the connection be. */
    void damageNext() {
        damagesNext.set(true);
    }

    private void listen() {
        try {
            while (true) {
                Socket from = listener.accept();
                connections.incrementAndGet();
                Socket to = connect();
                if (to == null) {
                    from.close();
                    continue;
                }
                int left = good ? Integer.MAX_VALUE - 1 : 100 + random.nextInt(mostBytes);
                boolean flips = random.nextInt(3) == 0;
                Thread.ofVirtual().start(() -> copy(from, to, left, flips));
                Thread.ofVirtual().start(() -> copy(to, from, Integer.MAX_VALUE, false));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private @Nullable Socket connect() {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            return null;
        }
    }

    private void copy(Socket from, Socket to, int most, boolean flips) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[1_024];
            int left = most;
            while (left > 0) {
                int read = in.read(bytes, 0, Math.min(bytes.length, left));
                if (read < 0) {
                    return;
                }
                left -= read;
                if (left == 0 && flips || most < Integer.MAX_VALUE && damagesNext.getAndSet(false)) {
                    bytes[read - 1] ^= 4;
                }
                out.write(bytes, 0, read);
            }
            // What was damaged arrives, too.
            out.flush();
            to.shutdownOutput();
        } catch (IOException e) {
            // The other direction has ended.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
