package io.slipstream.cluster.log;

import io.slipstream.cluster.config.Members;

/**
 * What each member says of its state behind the same entry. A member whose state a majority does not have is wrong; one
 * that differs from another one alone may be right.
 */
final class Votes {
    private final int majority;
    private final long[] sequence = new long[Members.MOST];
    private final long[] hash = new long[Members.MOST];

    Votes(int majority) {
        this.majority = majority;
    }

    /**
     * Notes a vote.
     *
     * @throws DifferentStateException if a majority agrees on a state that is not the one of {@code self}
     */
    void add(int member, long ofSequence, long ofHash, int self) {
        sequence[member] = ofSequence;
        hash[member] = ofHash;
        int agree = 0;
        for (int i = 0; i < Members.MOST; i++) {
            agree += sequence[i] == ofSequence && hash[i] == ofHash ? 1 : 0;
        }
        if (agree >= majority && sequence[self] == ofSequence && hash[self] != ofHash) {
            throw new DifferentStateException(ofSequence, hash[self], ofHash, agree);
        }
    }

    /** Notes the own state, before its vote has come through the log. */
    void own(int self, long ofSequence, long ofHash) {
        sequence[self] = ofSequence;
        hash[self] = ofHash;
    }
}
