package io.slipstream.service.logic;

import io.slipstream.core.sequence.Sequence;

/**
 * Hands the hash of a state from the thread of the logic to the one that writes it into the log, one at a time:
 * sequence and hash always belong together.
 *
 * <pre>
 *   logic    offer ── sequence, hash, then offered (release) ──▶ isOffered (acquire) ── sequence, hash
 *            offer ◀──────────────── taken (acquire) ◀────────── taken (release)          gateway
 * </pre>
 */
public final class CheckHandover {
    private final Sequence offered = new Sequence(0);
    private final Sequence taken = new Sequence(0);
    private long sequence;
    private long hash;
    private boolean again;

    /** Creates one with nothing in it. */
    public CheckHandover() {}

    /**
     * Offers a hash that was not offered yet. One that was not taken is not replaced, and the new one is left out: its
     * hash would be read with the other's sequence. For the thread of the logic.
     */
    public void offer(long ofSequence, long ofHash) {
        if ((again || ofSequence != sequence) && taken.getAcquire() == offered.getPlain()) {
            again = false;
            sequence = ofSequence;
            hash = ofHash;
            offered.setRelease(offered.getPlain() + 1);
        }
    }

    /** Lets the last hash be offered again; for the thread of the logic. */
    public void again() {
        again = true;
    }

    /** Returns whether there is one to take; this and the following are for the other thread. */
    public boolean isOffered() {
        return offered.getAcquire() != taken.getPlain();
    }

    /** Returns the sequence of the entry behind which the state had the hash. */
    public long sequence() {
        return sequence;
    }

    /** Returns the hash. */
    public long hash() {
        return hash;
    }

    /** Makes room for the next one. */
    public void taken() {
        taken.setRelease(offered.getAcquire());
    }
}
