package io.slipstream.cluster.control;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.wire.ControlCall;
import io.slipstream.cluster.wire.ControlLines;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks members, or tells them what to do. One connection for each call; any thread. */
public final class ControlClient {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /* A member that steps down answers when another one leads, and says itself when that takes too long. */
    private static final Duration TRANSFER_PATIENCE = Duration.ofMinutes(10);
    /* The leader asks all others before. */
    private static final Duration UPGRADE_PATIENCE = Duration.ofMinutes(1);

    private final @Nullable String token;
    private final Duration patience;

    /**
     * Creates a client.
     *
     * @param token of the members' control ports; null if they have none
     */
    public ControlClient(@Nullable String token) {
        this(token, PATIENCE);
    }

    ControlClient(@Nullable String token, Duration patience) {
        this.token = ControlLines.requireLong(token);
        this.patience = patience;
    }

    /** Asks a member how it is; an {@link IOException} says why it does not answer. */
    public Report status(MemberAddress member) throws IOException {
        return Report.of(ask(member, "status", patience));
    }

    /** Tells the leader to take a snapshot at all members; an {@link IOException} says why it does not. */
    public void snapshot(MemberAddress leader) throws IOException {
        ask(leader, "snapshot", patience);
    }

    /**
     * Tells the leader to step down.
     *
     * @return the member that leads now
     * @throws IOException if no other member has taken over; the message says why
     */
    public int transfer(MemberAddress leader) throws IOException {
        return number(leader, ask(leader, "transfer", TRANSFER_PATIENCE), "who leads");
    }

    /**
     * Tells the leader to let all members act as the newest version of the state machine that they know.
     *
     * @return that version, which the leader acts as by now
     * @throws IOException if a member does not know it, or is away; the message names all of these
     */
    public int upgrade(MemberAddress leader) throws IOException {
        return number(leader, ask(leader, "upgrade", UPGRADE_PATIENCE), "the version");
    }

    private static int number(MemberAddress member, String answer, String wanted) throws IOException {
        try {
            return Integer.parseInt(answer.substring(answer.lastIndexOf(' ') + 1));
        } catch (NumberFormatException e) {
            throw new IOException("member " + member.id() + " says '" + answer + "' instead of " + wanted, e);
        }
    }

    private String ask(MemberAddress member, String line, Duration most) throws IOException {
        try (ControlCall call = new ControlCall(member, token, patience)) {
            return call.ask(line, most);
        }
    }
}
