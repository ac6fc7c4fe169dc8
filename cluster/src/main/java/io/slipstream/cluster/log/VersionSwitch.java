package io.slipstream.cluster.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Duty;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;

/**
 * Writes into the log what its member says of itself: which version of the state machine it knows, when it starts; and
 * that all members act as that version from here on, when an operator wants it. The gateway's thread runs it.
 */
public final class VersionSwitch implements Duty {
    private final FrameRing input;
    private final Start known;
    private volatile boolean isAsked;

    /**
     * Creates the duty.
     *
     * @param input to write to; this duty is one of its publishers
     * @param known what the member runs, and how it is set up
     */
    public VersionSwitch(FrameRing input, Start known) {
        this.input = input;
        this.known = known;
    }

    /** Says what the member runs, as the first that its gateway sends; before the threads start. */
    public void announce() {
        if (!write(Start.ANNOUNCES)) {
            throw new IllegalStateException("an empty ring has no room for the first entry");
        }
    }

    /** Lets all members act as the version that this one knows, from some entry on. Any thread. */
    public void ask() {
        isAsked = true;
    }

    /**
     * Returns whether an entry changes the version of a log. At the very first a start does; later only an upgrade, as
     * other members may not know the version yet. In a log from before there were upgrades, a start with a newer
     * version does.
     *
     * @param present version of the log; negative if it has none
     */
    public static boolean counts(Start start, int present) {
        return present < 0 || (start.version() > present && !start.has(Start.ANNOUNCES));
    }

    @Override
    public int work() {
        if (!isAsked || !write(Start.UPGRADES)) {
            return 0;
        }
        isAsked = false;
        return 1;
    }

    private boolean write(byte rule) {
        Start start =
                new Start(known.name(), known.version(), known.sessions(), known.seed(), known.checkEvery(), (byte)
                        (known.rules() | rule));
        long position = input.tryClaim(Message.HEADER_BYTES + start.bytes() - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        long at = input.offset(position);
        Message.headerWithoutLength(input.memory(), at, MessageType.START, 0, 0);
        start.encodePayload(input.memory(), at);
        input.publish(position);
        return true;
    }
}
