package io.slipstream.cli.service;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds a port that is in use before a service reads its log, which may take minutes: it listens only afterwards. */
public final class FreePort {
    private FreePort() {}

    /**
     * Checks that a service can listen there.
     *
     * @param port 0 for any free one
     * @throws IOException if it cannot; the message says where
     */
    public static void require(String host, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (port == 0 || address.isUnresolved()) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(address);
        } catch (BindException e) {
            throw new IOException("cannot listen on " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }
}
