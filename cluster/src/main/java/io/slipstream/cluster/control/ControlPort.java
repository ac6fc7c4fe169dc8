package io.slipstream.cluster.control;

import io.slipstream.cluster.copy.CatchUp;
import io.slipstream.cluster.wire.ControlLines;
import io.slipstream.cluster.wire.Seal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes one line from each who connects, and answers with one. Who connects and says nothing keeps nobody else away: of
 * many that wait, the oldest are closed.
 */
final class ControlPort implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int MOST_WAITING = 32;
    private static final int CHALLENGE_BYTES = 16;
    private static final long STALL_NANOS = 20_000_000_000L;
    private static final String GRANTED = "yes";

    private final ServerSocket socket;
    private final UnaryOperator<String> answers;
    private final Copies copies;
    private final @Nullable String token;
    private final SecureRandom random = new SecureRandom();
    /* Those that have not said their line yet, the oldest first. */
    private final Queue<Socket> waiting = new ConcurrentLinkedQueue<>();

    /**
     * Begins to listen.
     *
     * @param token  that operators and members must know; null for none
     * @param copies sends what another member lacks
     */
    ControlPort(InetSocketAddress address, @Nullable String token, UnaryOperator<String> answers, Copies copies)
            throws IOException {
        this.answers = answers;
        this.copies = copies;
        this.token = ControlLines.requireLong(token);
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
                waiting.add(client);
                while (waiting.size() > MOST_WAITING && waiting.poll() instanceof Socket oldest) {
                    oldest.close();
                }
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException | OutOfMemoryError e) {
                // Closed, or one that has gone before it was accepted, or there is no thread for one.
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                PrintWriter out = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8)) {
            client.setSoTimeout(TIMEOUT_MILLIS);
            byte[] bytes = new byte[CHALLENGE_BYTES];
            random.nextBytes(bytes);
            String challenge = HexFormat.of().formatHex(bytes);
            out.println(challenge);
            String line = ControlLines.read(new BufferedInputStream(client.getInputStream()));
            waiting.remove(client);
            if (line != null) {
                out.println(answer(challenge, line));
                copy(client, challenge, line);
            }
        } catch (IOException e) {
            // Whoever asked has gone, or was no operator; a copy that ends without its seal does not count.
        } finally {
            waiting.remove(client);
        }
    }

    private String answer(String challenge, String line) {
        String command = line.substring(line.indexOf(' ') + 1);
        if (!isKnown(challenge, line)) {
            return ControlLines.REFUSED + "the control token is wrong, or was not given";
        }
        return CatchUp.asksForCopy(command) ? GRANTED : answers.apply(command);
    }

    /** The other side may take its time, but not stand still: what it is sent has files open. */
    private void copy(Socket client, String challenge, String line) throws IOException {
        String command = line.substring(line.indexOf(' ') + 1);
        if (CatchUp.asksForCopy(command) && isKnown(challenge, line)) {
            try (Progress progress = new Progress(client, STALL_NANOS)) {
                copies.send(progress, Seal.key(token, challenge, command));
            }
        }
    }

    private boolean isKnown(String challenge, String line) {
        int space = line.indexOf(' ');
        String proof = line.substring(0, Math.max(0, space));
        String wanted = ControlLines.sign(token, challenge, line.substring(space + 1));
        return token == null
                || MessageDigest.isEqual(
                        proof.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends copies. */
    interface Copies {
        /** Sends one, sealed with that key, or why there is none. */
        void send(OutputStream out, byte[] key) throws IOException;
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
