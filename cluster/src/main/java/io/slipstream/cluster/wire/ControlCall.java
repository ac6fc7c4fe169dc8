package io.slipstream.cluster.wire;

import io.slipstream.cluster.config.MemberAddress;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One command to a member, over a connection of its own. For one thread. */
public final class ControlCall implements AutoCloseable {
    private final MemberAddress member;
    private final @Nullable String token;
    private final Socket socket = new Socket();
    private final InputStream in;
    private final PrintWriter out;
    private final String challenge;

    /**
     * Connects to a member.
     *
     * @param token    of the members' control ports; null if they have none
     * @param patience for the connection and the first word of the member
     */
    public ControlCall(MemberAddress member, @Nullable String token, Duration patience) throws IOException {
        this.member = member;
        this.token = token;
        try {
            socket.connect(new InetSocketAddress(member.host(), member.controlPort()), (int) patience.toMillis());
            socket.setSoTimeout((int) patience.toMillis());
            this.out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
            this.in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            this.challenge = requireSaid(ControlLines.read(in));
        } catch (ConnectException e) {
            socket.close();
            throw new IOException(where() + " does not run: " + e.getMessage(), e);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private String where() {
        return "member " + member.id() + " at " + member.host() + ":" + member.controlPort();
    }

    /** Returns what the member has sent as a challenge. */
    public String challenge() {
        return challenge;
    }

    /**
     * Sends a command, and waits for the first line of the answer.
     *
     * @param most how long the member may be silent, from here on
     * @throws IOException if the member refuses; the message says why
     */
    public String ask(String command, Duration most) throws IOException {
        socket.setSoTimeout((int) most.toMillis());
        out.println(ControlLines.sign(token, challenge, command) + " " + command);
        String answer = requireSaid(ControlLines.read(in));
        if (answer.startsWith(ControlLines.REFUSED)) {
            throw new IOException(where() + " refuses: " + answer.substring(ControlLines.REFUSED.length()));
        }
        return answer;
    }

    private String requireSaid(@Nullable String line) throws IOException {
        if (line == null) {
            throw new IOException(where() + " has closed the connection without an answer");
        }
        return line;
    }

    /** Returns what the member sends behind the first line. */
    public InputStream input() {
        return in;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
