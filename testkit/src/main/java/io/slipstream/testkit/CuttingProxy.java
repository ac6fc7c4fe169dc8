package io.slipstream.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A network that cuts each connection after a random number of bytes, of either direction, and flips a bit in some;
 * until it is told to be good.
 */
public final class CuttingProxy implements AutoCloseable {
    private static final int UNCUT = Integer.MAX_VALUE;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final SplittableRandom random;
    private final int meanBytes;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicBoolean damagesNext = new AtomicBoolean();
    private volatile int damagedOf;
    private volatile boolean good;

    /** Opens a port before the port {@code target} of this machine. */
    public CuttingProxy(int target, int meanBytes, long seed) throws IOException {
        this.target = target;
        this.meanBytes = meanBytes;
        this.random = new SplittableRandom(seed);
        Thread.ofVirtual().start(this::listen);
    }

    /** Lets one of so many cuts flip a bit of the last bytes before it, from here on; 0 for none. */
    public CuttingProxy damagingOneOf(int cutConnections) {
        damagedOf = cutConnections;
        return this;
    }

    public int port() {
        return listener.getLocalPort();
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port());
    }

    /** Returns how many connections were made. */
    public int connections() {
        return connections.get();
    }

    /** Returns how many were cut. */
    public int cuts() {
        return cuts.get();
    }

    /** Cuts none of the connections that come from here on. */
    public void beGood() {
        good = true;
    }

    /** Flips a bit of what comes next from a client, and lets the connection be. */
    public void damageNext() {
        damagesNext.set(true);
    }

    /** Closes the port and cuts all connections, as if the process there were killed. */
    public void die() throws IOException {
        listener.close();
        for (Socket each : open) {
            each.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket from = listener.accept();
                connections.incrementAndGet();
                open.add(from);
                if (listener.isClosed()) {
                    from.close();
                    return;
                }
                Socket to = connect();
                if (to == null) {
                    from.close();
                    continue;
                }
                int forth = good ? UNCUT : random.nextInt(1, 2 * meanBytes);
                int back = good ? UNCUT : random.nextInt(1, 2 * meanBytes);
                boolean flips = damagedOf > 0 && random.nextInt(damagedOf) == 0;
                Thread.ofVirtual().start(() -> copy(from, to, forth, flips, true));
                Thread.ofVirtual().start(() -> copy(to, from, back, false, false));
            } catch (IOException e) {
                // Closed, or a connection has ended meanwhile.
            }
        }
    }

    private @Nullable Socket connect() {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            return null;
        }
    }

    private void copy(Socket from, Socket to, int bytesUntilCut, boolean flips, boolean isForth) {
        byte[] bytes = new byte[1_024];
        int left = bytesUntilCut;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (left > 0) {
                int read = in.read(bytes, 0, Math.min(bytes.length, left));
                if (read < 0) {
                    return;
                }
                left -= left == UNCUT ? 0 : read;
                if (left == 0 && flips || isForth && damagesNext.getAndSet(false)) {
                    bytes[read - 1] ^= 4;
                }
                out.write(bytes, 0, read);
                out.flush();
            }
            cuts.incrementAndGet();
            // What was damaged arrives, too.
            to.shutdownOutput();
        } catch (IOException e) {
            // The other direction has ended.
        } finally {
            open.remove(from);
        }
    }
}
