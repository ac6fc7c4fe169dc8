package io.slipstream.cluster.log;

import io.slipstream.cluster.config.Members;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What each member says of its state behind the same entries.
 *
 * <pre>
 *   a majority agrees          whoever differs is wrong, and stops
 *   a majority can still agree members differ: it is in doubt who is right, and there are no snapshots meanwhile
 *   no majority can agree      nobody is right: all stop
 * </pre>
 *
 * <p>A vote counts as long as the life of its member. For one thread, but for {@link #isInDoubt}.
 */
final class Votes {
    /* Members vote at their own pace, so votes on several entries arrive at a time. */
    private static final int ROWS = 16;

    private final int members;
    private final int majority;
    private final int self;
    private final Row[] rows = new Row[ROWS];
    private long ownSequence;
    private long ownHash;
    private volatile @Nullable Row doubted;

    Votes(int members, int self) {
        this.members = members;
        this.self = self;
        this.majority = members / 2 + 1;
        Arrays.setAll(rows, row -> new Row());
    }

    /** Notes the own state, before its vote has come through the log. */
    void own(long ofSequence, long ofHash) {
        ownSequence = ofSequence;
        ownHash = ofHash;
    }

    /**
     * Notes a vote.
     *
     * @param isLive whether the log is at what happens now; what it says of the past stops nobody
     * @return what is in doubt from now on, for whoever runs the cluster; null if nothing new is
     * @throws DifferentStateException if a majority agrees on a state that is not the own one, or none can agree
     */
    @Nullable
    String add(int member, long ofSequence, long ofHash, boolean isLive) {
        Row row = row(ofSequence);
        if (row == null) {
            return null;
        }
        row.vote(member, ofHash);
        int agree = row.mostAgree();
        if (agree >= majority) {
            settle(ofSequence);
            requireOwn(row, agree, isLive);
            return null;
        }
        if (!row.differs()) {
            return null;
        }
        if (isLive && agree + members - row.count() < majority) {
            throw new DifferentStateException(ofSequence, row.toString());
        }
        boolean isNew = doubted == null;
        doubted = row;
        return isNew ? "behind log entry " + ofSequence + " members have different states: " + row : null;
    }

    private void requireOwn(Row row, int agree, boolean isLive) {
        boolean isKnown = ownSequence == row.sequence;
        if (!isKnown && !(isLive && row.has(self))) {
            return;
        }
        // In the past, the own vote is one of a former life.
        long own = isKnown ? ownHash : row.hash[self];
        long right = row.mostAgreed();
        if (own != right) {
            throw new DifferentStateException(row.sequence, own, right, agree);
        }
    }

    /** Forgets what a member has said in the life that has ended. */
    void forget(int member) {
        for (Row row : rows) {
            row.forget(member);
        }
        Row inDoubt = doubted;
        if (inDoubt != null && !inDoubt.differs()) {
            doubted = null;
        }
    }

    /** Returns whether members differ, and no majority has agreed since; any thread may ask. */
    boolean isInDoubt() {
        return doubted != null;
    }

    private void settle(long sequence) {
        Row inDoubt = doubted;
        if (inDoubt != null && inDoubt.sequence <= sequence) {
            doubted = null;
        }
    }

    /** Returns where votes behind an entry are noted; null if they come too late. */
    private @Nullable Row row(long sequence) {
        Row oldest = rows[0];
        for (Row row : rows) {
            if (row.sequence == sequence) {
                return row;
            }
            if (row.sequence < oldest.sequence) {
                oldest = row;
            }
        }
        if (oldest.sequence > sequence) {
            return null;
        }
        oldest.begin(sequence);
        return oldest;
    }

    /** The votes behind one entry. */
    private static final class Row {
        private final long[] hash = new long[Members.MOST];
        private long sequence;
        private int voters;

        void begin(long ofSequence) {
            sequence = ofSequence;
            voters = 0;
        }

        void vote(int member, long ofHash) {
            hash[member] = ofHash;
            voters |= 1 << member;
        }

        void forget(int member) {
            voters &= ~(1 << member);
        }

        boolean has(int member) {
            return (voters & 1 << member) != 0;
        }

        int count() {
            return Integer.bitCount(voters);
        }

        private int agree(long with) {
            return (int) voters().filter(member -> hash[member] == with).count();
        }

        /** Returns how many members have the hash that most have. */
        int mostAgree() {
            return voters().map(member -> agree(hash[member])).max().orElse(0);
        }

        /** Returns the hash that most members have; there must be a vote. */
        long mostAgreed() {
            int most = mostAgree();
            return voters().mapToLong(member -> hash[member])
                    .filter(each -> agree(each) == most)
                    .findFirst()
                    .getAsLong();
        }

        boolean differs() {
            return voters().mapToLong(member -> hash[member]).distinct().count() > 1;
        }

        private IntStream voters() {
            return IntStream.range(0, Members.MOST).filter(this::has);
        }

        @Override
        public String toString() {
            return voters().mapToObj(member -> String.format(Locale.ROOT, "member %d has %016x", member, hash[member]))
                    .collect(Collectors.joining(", "));
        }
    }
}
