package io.slipstream.cluster.control;

import io.slipstream.cluster.config.MemberAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a member, or tells it what to do. */
public final class ControlClient {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final String REFUSED = "no: ";

    private ControlClient() {}

    /** Asks a member how it is; an {@link IOException} says why it does not answer. */
    public static Report status(MemberAddress member) throws IOException {
        return Report.of(ask(member, "status"));
    }

    /** Tells the leader to take a snapshot at all members; an {@link IOException} says why it does not. */
    public static void snapshot(MemberAddress leader) throws IOException {
        ask(leader, "snapshot");
    }

    /** Tells the leader to step down; another member takes over. */
    public static void transfer(MemberAddress leader) throws IOException {
        ask(leader, "transfer");
    }

    private static String ask(MemberAddress member, String line) throws IOException {
        String where = "member " + member.id() + " at " + member.host() + ":" + member.controlPort();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(member.host(), member.controlPort()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
            out.println(line);
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (answer == null) {
                throw new IOException(where + " has closed the connection without an answer");
            }
            if (answer.startsWith(REFUSED)) {
                throw new IOException(where + " refuses: " + answer.substring(REFUSED.length()));
            }
            return answer;
        } catch (ConnectException e) {
            throw new IOException(where + " does not run: " + e.getMessage(), e);
        }
    }
}
