package io.slipstream.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/**
 * A network that, once it is frozen, brings nothing more and cuts nothing, as if the process behind it were stopped.
 */
public final class FreezingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch thaw = new CountDownLatch(1);
    private final int target;
    private volatile boolean frozen;

    /** Opens a port before the port {@code target} of this machine. */
    public FreezingProxy(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::listen);
    }

    /** Returns the port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Brings nothing more. */
    public void freeze() {
        frozen = true;
    }

    @Override
    public void close() throws IOException {
        thaw.countDown();
        listener.close();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket from = listener.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                Thread.ofVirtual().start(() -> copy(from, to));
                Thread.ofVirtual().start(() -> copy(to, from));
            } catch (IOException e) {
                // Closed, or a connection that did not come about.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (frozen) {
                    thaw.await();
                }
                out.write(bytes, 0, read);
            }
        } catch (IOException e) {
            // One side has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
