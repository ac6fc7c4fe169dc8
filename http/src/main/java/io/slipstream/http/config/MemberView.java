package io.slipstream.http.config;

import java.util.Objects;

/**
 * How one member of a cluster is, as the dashboard shows it; immutable.
 *
 * @param id        its number
 * @param address   where it is asked, for people
 * @param error     why it does not answer; empty if it does, and otherwise nothing below counts
 * @param leads     whether it leads
 * @param ready     whether it has joined, has caught up, and reaches the majority
 * @param sequence  of the last log entry that it has applied
 * @param stateHash of its state machine there
 * @param logBytes  that are committed
 * @param snapshots that it has taken since its start
 * @param version   of the state machine that it acts as; -1 before the first entry
 * @param skips     the entries that it passes over; "-" if none
 */
public record MemberView(
        int id,
        String address,
        String error,
        boolean leads,
        boolean ready,
        long sequence,
        long stateHash,
        long logBytes,
        long snapshots,
        int version,
        String skips) {
    /** Checks that the texts are there. */
    public MemberView {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(error, "error");
        Objects.requireNonNull(skips, "skips");
    }

    /** Returns a member that does not answer. */
    public static MemberView silent(int id, String address, String error) {
        return new MemberView(id, address, error.isEmpty() ? "no answer" : error, false, false, 0, 0, 0, 0, -1, "-");
    }

    /** Returns whether it has answered. */
    public boolean isHeard() {
        return error.isEmpty();
    }
}
