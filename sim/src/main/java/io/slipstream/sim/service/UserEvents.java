package io.slipstream.sim.service;

import io.slipstream.sim.witness.Findings;
import java.util.ArrayList;
import java.util.List;

/** What one client has heard of its session. */
final class UserEvents {
    private final Findings findings;
    private final List<Heard> heard = new ArrayList<>();
    private long answered;
    private boolean mayHaveMissed;
    private boolean isRobbed;
    private boolean hasEnded;
    private boolean isLeaving;
    private long skipped;

    /** An event, the entry that it is of, and whether those before it may be missing. */
    private record Heard(long sequence, long hash, boolean isBehindGap) {}

    UserEvents(Findings findings) {
        this.findings = findings;
    }

    /**
     * Returns who hears what comes from here on, behind a gap: perhaps the session was forgotten, and this is another
     * one's.
     */
    UserEvents behindGap() {
        UserEvents next = new UserEvents(findings);
        next.isRobbed = isRobbed;
        next.hasEnded = isRobbed;
        next.isLeaving = isLeaving;
        next.skipped = skipped;
        next.mayHaveMissed = true;
        hasEnded = true;
        return next;
    }

    /** As {@link UserFeed#leaves}. */
    void leaves() {
        isLeaving = true;
    }

    /** Nobody listens any more. */
    void abandon() {
        hasEnded = true;
    }

    /** Somebody else listens, too, and may hear what is for this client. */
    void robbed() {
        isRobbed = true;
        hasEnded = true;
    }

    /** A command of this session was answered, by which the session is found in the log. */
    void answered(long id) {
        answered = id;
    }

    /** Returns the last command that was answered, or 0. */
    long answered() {
        return answered;
    }

    void add(long sequence, long hash) {
        if (sequence != skipped && !isLeaving) {
            heard.add(new Heard(sequence, hash, mayHaveMissed));
            mayHaveMissed = false;
        }
    }

    /** As {@link UserFeed#skipped}. */
    void skipped(long entry) {
        skipped = entry;
        List<Heard> all = List.copyOf(heard);
        boolean nowMayHaveMissed = mayHaveMissed;
        heard.clear();
        mayHaveMissed = false;
        for (Heard each : all) {
            mayHaveMissed |= each.isBehindGap;
            add(each.sequence, each.hash);
        }
        mayHaveMissed |= nowMayHaveMissed;
    }

    /** The service has said that it has not kept all for who was away. */
    void missed() {
        mayHaveMissed = true;
    }

    /** Requires that it has heard each event once and in order, but for those that it was told are not there. */
    void compare(List<Long> sent) {
        int at = 0;
        for (Heard each : heard) {
            int from = at;
            while (at < sent.size() && sent.get(at) != each.hash) {
                at++;
            }
            if (at == sent.size() || at > from && !each.isBehindGap && !isRobbed) {
                findings.add("a client has missed an event, or got one twice, or one that its session was not sent: of "
                        + sent.size() + " it has heard " + heard.size() + ", and what came behind the first " + from
                        + " is wrong");
                return;
            }
            at++;
        }
        findings.require(
                at == sent.size() || hasEnded || mayHaveMissed,
                "a client has not heard the last of " + sent.size() + " events that its session was sent; it has heard "
                        + heard.size());
    }
}
