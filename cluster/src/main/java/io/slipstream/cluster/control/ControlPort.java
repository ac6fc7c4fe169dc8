package io.slipstream.cluster.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** Takes one line from each who connects, and answers with one. */
final class ControlPort implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final int TIMEOUT_MILLIS = 2_000;

    private final ServerSocket socket;
    private final UnaryOperator<String> answers;

    ControlPort(InetSocketAddress address, UnaryOperator<String> answers) throws IOException {
        this.answers = answers;
        this.socket = new ServerSocket();
        socket.setReuseAddress(true);
        try {
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot listen for operators on " + address + ": " + e.getMessage(), e);
        }
        Thread.ofPlatform().daemon().name("slipstream-control").start(this::run);
    }

    private void run() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                // Closed, or one that has gone before it was accepted.
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8)) {
            client.setSoTimeout(TIMEOUT_MILLIS);
            String line = lines.readLine();
            if (line != null) {
                out.println(answers.apply(line.strip()));
            }
        } catch (IOException e) {
            // Whoever asked has gone.
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nobody comes any more.
        }
    }
}
