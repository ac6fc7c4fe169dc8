package io.slipstream.lab.load;

import io.slipstream.lab.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The network that every machine has, except for some containers and sandboxes. */
public final class Loopback {
    private static final int PATIENCE_MILLIS = 2_000;

    private Loopback() {}

    /**
     * Connects to itself.
     *
     * @throws Unavailable when that does not work
     */
    public static void require() {
        InetAddress own = InetAddress.getLoopbackAddress();
        try (ServerSocket acceptor = new ServerSocket(0, 1, own);
                Socket client = new Socket()) {
            client.connect(new InetSocketAddress(own, acceptor.getLocalPort()), PATIENCE_MILLIS);
        } catch (IOException e) {
            throw new Unavailable("no network: nothing can connect over the loopback interface " + own.getHostAddress()
                    + " (" + e.getMessage() + ")");
        }
    }
}
