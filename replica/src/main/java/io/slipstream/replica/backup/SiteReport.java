package io.slipstream.replica.backup;

import io.slipstream.replica.site.Role;
import io.slipstream.replica.wire.Link;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How a backup site is.
 *
 * @param role      whether it still is one
 * @param term      see {@link io.slipstream.replica.site.Site}
 * @param connected whether a primary is there
 * @param received  sequence of the last record that is durable here
 * @param primary   sequence of the last record that was durable at the primary when it last said so
 * @param applied   sequence of the last record that the warm state machine has applied
 * @param stateHash of that machine
 */
public record SiteReport(
        Role role, long term, boolean connected, long received, long primary, long applied, long stateHash) {
    private static final int NUMBERS = 7;

    ByteBuffer encode() {
        return Link.buffer(NUMBERS * Long.BYTES)
                .putLong(role.ordinal())
                .putLong(term)
                .putLong(connected ? 1 : 0)
                .putLong(received)
                .putLong(primary)
                .putLong(applied)
                .putLong(stateHash)
                .flip();
    }

    static SiteReport decode(Link link) throws IOException {
        Role[] roles = Role.values();
        long role = link.number();
        if (role < 0 || role >= roles.length) {
            throw new IOException("the backup site has the unknown role " + role);
        }
        return new SiteReport(
                roles[(int) role],
                link.number(),
                link.number() == 1,
                link.number(),
                link.number(),
                link.number(),
                link.number());
    }

    /** Returns how many records the primary had that are not here. */
    public long lag() {
        return Math.max(0, primary - received);
    }
}
