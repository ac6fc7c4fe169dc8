package io.slipstream.sim.service;

import io.slipstream.service.protocol.FailureCode;
import io.slipstream.sim.witness.Applied;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Item;
import io.slipstream.sim.witness.Witness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the clients of a world have offered, and what they were told. */
final class History {
    /** How the offer of a command has ended. */
    enum Outcome {
        OPEN,
        REPLIED,
        BUSY,
        FAILED,
        UNKNOWN
    }

    /** A command that was offered. */
    static final class Offer {
        final long id;
        final long command;
        final String principal;
        Outcome outcome = Outcome.OPEN;
        FailureCode code = FailureCode.UNKNOWN;
        long sequence;
        long reply;
        boolean isSentTwice;
        boolean mayBeLost;

        Offer(long id, long command, String principal) {
            this.id = id;
            this.command = command;
            this.principal = principal;
        }
    }

    private final Findings findings;
    private final TreeMap<Long, Offer> offers = new TreeMap<>();
    private final List<UserFeed> feeds = new ArrayList<>();
    private final List<UserEvents> events = new ArrayList<>();
    private int open;
    private int replied;
    private int refused;
    private int failed;
    private int unknown;
    private boolean isSendingTwice;
    private boolean isForgetful;
    private long skipped;

    History(Findings findings) {
        this.findings = findings;
    }

    void offered(long id, long command, String principal) {
        Offer offer = new Offer(id, command, principal);
        offer.isSentTwice = isSendingTwice;
        offers.put(id, offer);
        open++;
    }

    /**
     * From now on what is offered, or still open, is sent twice, or not any more. One of two copies on a connection may
     * be refused because the log is full, and the other one be applied, when there is room again. No client of ours
     * sends two there.
     */
    void sendsTwice(boolean isOn) {
        isSendingTwice = isOn;
        offers.values().forEach(offer -> offer.isSentTwice |= isOn && offer.outcome == Outcome.OPEN);
    }

    /** Returns whether that command was sent twice, so that one copy may be applied though the other was refused. */
    boolean isSentTwice(long id) {
        Offer offer = offers.get(id);
        return offer != null && offer.isSentTwice;
    }

    /** More clients come than the service remembers sessions: it may forget that of a client that is away. */
    void forgetsSessions() {
        isForgetful = true;
    }

    /** Returns whether the service may have forgotten a session. */
    boolean isForgetful() {
        return isForgetful;
    }

    /** Returns the name of the client that has offered that command, or null if nobody has. */
    @Nullable
    String principal(long id) {
        Offer offer = offers.get(id);
        return offer == null ? null : offer.principal;
    }

    void replied(long id, long sequence, long reply) {
        Offer offer = close(id, Outcome.REPLIED);
        offer.sequence = sequence;
        offer.reply = reply;
        replied++;
    }

    void busy(long id) {
        close(id, Outcome.BUSY);
        refused++;
    }

    void failed(long id, FailureCode code, String text) {
        boolean known = code != FailureCode.UNKNOWN && code != FailureCode.TOO_OLD;
        Offer offer = close(id, known ? Outcome.FAILED : Outcome.UNKNOWN);
        offer.code = code;
        offer.reply = Applied.rejected(text);
        failed += known ? 1 : 0;
        unknown += known ? 0 : 1;
    }

    /** Returns of how many nobody was told what became of them. */
    int unknown() {
        return unknown;
    }

    void add(UserFeed feed) {
        feeds.add(feed);
    }

    void add(UserEvents heard) {
        events.add(heard);
    }

    /**
     * What was not forced may be gone: each command that was answered by now is in the log as it was told, or not at
     * all, and what was heard of topics and events proves nothing any more.
     */
    void mayBeLost() {
        offers.values().forEach(offer -> offer.mayBeLost = true);
        feeds.clear();
        events.clear();
    }

    /**
     * An operator has had this command skipped, which is that entry: it is in the log, and its client may hear that it
     * has failed.
     */
    void skipped(long id, long entry) {
        skipped = id;
        feeds.forEach(each -> each.skipped(entry));
        events.forEach(each -> each.skipped(entry));
    }

    /** Returns how many offers have no answer yet. */
    int open() {
        return open;
    }

    int offered() {
        return offers.size();
    }

    int replied() {
        return replied;
    }

    int refused() {
        return refused;
    }

    /** Returns how many the machine rejected, or failed at. */
    int failed() {
        return failed;
    }

    /**
     * Compares what clients were told with what an independent replay of the log has led to, as far as the first
     * {@code items} items and {@code sentUntilLeft} events go: the others came when nobody was there any more. A reply
     * is kept as long as all that its session was sent since has less than half of {@code outboxBytes}.
     */
    void compare(Witness<?> replay, int items, int sentUntilLeft, int outboxBytes) {
        Map<Long, Applied> applied = new HashMap<>();
        for (Applied each : replay.applied()) {
            Offer offer = offers.get(each.id());
            findings.require(
                    offer != null, "entry " + each.sequence() + " of the log is a command that nobody offered");
            findings.require(
                    offer == null || offer.command == each.command(),
                    "command " + each.id() + " was applied with other bytes than were offered");
            Applied former = applied.put(each.id(), each);
            if (former != null) {
                findings.add("command " + each.id() + " was applied twice: as entry " + former.sequence() + " and "
                        + each.sequence() + " of the log");
            }
        }
        offers.values().forEach(offer -> {
            Applied found = applied.get(offer.id);
            compare(offer, found);
            findings.require(
                    found == null
                            || offer.outcome != Outcome.FAILED
                            || offer.code != FailureCode.ALREADY_APPLIED
                            || replay.keptBytesSince(found) >= outboxBytes / 2,
                    "the reply to command " + offer.id + " was not kept, although all that its session was sent since "
                            + "has less than half of " + outboxBytes + " bytes");
        });
        List<Item> published =
                replay.items().subList(0, Math.min(items, replay.items().size()));
        List<Item> sent = replay.events()
                .subList(0, Math.min(sentUntilLeft, replay.events().size()));
        feeds.forEach(feed -> feed.compare(published));
        events.forEach(each -> {
            Applied answered = applied.get(each.answered());
            if (answered != null) {
                each.compare(sent.stream()
                        .filter(event -> event.topic() == answered.session())
                        .map(Item::hash)
                        .toList());
            }
        });
    }

    private void compare(Offer offer, @Nullable Applied found) {
        switch (offer.outcome) {
            case OPEN -> findings.add("command " + offer.id + " was never answered");
            case REPLIED -> {
                findings.require(
                        found != null || offer.mayBeLost,
                        "command " + offer.id + " was acknowledged as entry " + offer.sequence
                                + " of the log, and is not there");
                if (found != null) {
                    findings.require(
                            found.sequence() == offer.sequence,
                            "command " + offer.id + " was acknowledged as " + "entry " + offer.sequence
                                    + " of the log, and is entry " + found.sequence());
                    findings.require(
                            found.reply() == offer.reply || found.reply() == Applied.NO_REPLY,
                            "command " + offer.id + " got another reply than a replay gives");
                }
            }
            case BUSY ->
                findings.require(
                        found == null || offer.isSentTwice,
                        "command " + offer.id + " was refused as busy, and applied");
            case FAILED -> {
                boolean wasApplied = offer.code == FailureCode.LOGIC_FAILED
                        || offer.code == FailureCode.REJECTED
                        || offer.code == FailureCode.ALREADY_APPLIED;
                findings.require(
                        found != null == wasApplied
                                || wasApplied && offer.mayBeLost
                                || offer.id == skipped && offer.code == FailureCode.LOGIC_FAILED,
                        "command " + offer.id + " has failed with " + offer.code + ", and was "
                                + (found == null ? "not " : "") + "applied");
                findings.require(
                        found == null || offer.code != FailureCode.REJECTED || found.reply() == offer.reply,
                        "command " + offer.id + " was rejected for another reason than a replay gives");
            }
            case UNKNOWN -> {
                // Either is right.
            }
        }
    }

    private Offer close(long id, Outcome outcome) {
        Offer offer = offers.get(id);
        if (offer == null) {
            findings.add("an answer came for command " + id + ", which was never offered by this client");
            return new Offer(id, 0, "");
        }
        findings.require(
                offer.outcome == Outcome.OPEN,
                "command " + id + " was answered twice: " + offer.outcome + ", then " + outcome);
        open -= offer.outcome == Outcome.OPEN ? 1 : 0;
        offer.outcome = outcome;
        return offer;
    }
}
