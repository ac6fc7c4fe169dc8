package io.slipstream.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A Redis client that says one line and reads one simple answer. */
final class RespSocket implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final BufferedReader in;

    RespSocket(int port) throws IOException {
        this(port, PATIENCE_MILLIS);
    }

    RespSocket(int port, int patienceMillis) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(patienceMillis);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Returns what the answer says: a status, a number, or a text; {@code -...} for an error, {@code $-1} for nil. */
    String call(String line) throws IOException {
        socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        String answer = in.readLine();
        if (answer == null) {
            throw new IOException("the connection has ended");
        }
        return switch (answer.charAt(0)) {
            case '$' -> answer.equals("$-1") ? answer : String.valueOf(in.readLine());
            case '-' -> answer;
            default -> answer.substring(1);
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
