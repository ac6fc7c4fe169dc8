package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Members by score, those of equal score by their bytes: a skip list (Pugh, 1990) whose links say how many members they
 * pass, so that a rank is found as fast as a member. The height of a member follows from its bytes, so that every
 * replay builds the same list.
 */
public final class SortedSet implements Value {
    /** Number of this type. */
    public static final byte TYPE = 3;

    private static final int MAX_HEIGHT = 24;
    private static final int OVERHEAD = 160;

    private final Places<Node> nodes = new Places<>(Node::member, true);
    private final Node head = new Node(new Bytes(new byte[0]), Double.NEGATIVE_INFINITY, MAX_HEIGHT);
    private final Node[] before = new Node[MAX_HEIGHT];
    private final int[] passed = new int[MAX_HEIGHT];
    private long hash;
    private long bytes;

    /** A member and its links. */
    public static final class Node {
        private final Bytes member;
        private final double score;
        private final @Nullable Node[] next;
        private final int[] spans;
        private @Nullable Node previous;

        Node(Bytes member, double score, int height) {
            this.member = member;
            this.score = score;
            this.next = new Node[height];
            this.spans = new int[height];
        }

        /** Returns the member. */
        public Bytes member() {
            return member;
        }

        /** Returns its score. */
        public double score() {
            return score;
        }

        /** Returns the one behind it, or null. */
        public @Nullable Node next() {
            return next[0];
        }

        /** Returns the one before it, or null. */
        public @Nullable Node previous() {
            return previous;
        }
    }

    /** Where to stop: says of a member whether it comes before what is looked for. */
    @FunctionalInterface
    public interface Before {
        /** Returns whether a member comes before. */
        boolean test(double score, Bytes member);
    }

    /** Creates an empty set. */
    public SortedSet() {
        Arrays.fill(before, head);
    }

    @Override
    public int size() {
        return nodes.size();
    }

    @Override
    public byte type() {
        return TYPE;
    }

    @Override
    public String encoding() {
        boolean isSmall = size() <= 128;
        for (Node node = at(0); isSmall && node != null; node = node.next()) {
            isSmall = node.member().array().length <= 64;
        }
        return isSmall ? "listpack" : "skiplist";
    }

    @Override
    public long contentHash() {
        return hash;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Returns the score of a member, or null. */
    public @Nullable Double score(Bytes member) {
        Node node = nodes.find(member);
        return node == null ? null : node.score;
    }

    /** Sets the score of a member, where -0 is 0; returns whether it is new. */
    public boolean put(Bytes member, double signed) {
        double score = signed + 0.0;
        Node former = nodes.find(member);
        if (former != null) {
            if (former.score == score) {
                return false;
            }
            unlink(former);
        }
        Node node = new Node(member, score, height(member));
        if (former == null) {
            nodes.add(node);
        } else {
            nodes.replace(node);
        }
        seek(score, member);
        int rank = passed[0];
        for (int level = 0; level < MAX_HEIGHT; level++) {
            Node prior = before[level];
            if (level < node.next.length) {
                node.next[level] = prior.next[level];
                node.spans[level] = prior.spans[level] - (rank - passed[level]);
                prior.next[level] = node;
                prior.spans[level] = rank - passed[level] + 1;
            } else {
                prior.spans[level]++;
            }
        }
        node.previous = before[0] == head ? null : before[0];
        Node behind = node.next[0];
        if (behind != null) {
            behind.previous = node;
        }
        count(node, 1);
        return former == null;
    }

    /** Removes a member; returns whether it was there. */
    public boolean remove(Bytes member) {
        Node node = nodes.remove(member);
        if (node != null) {
            unlink(node);
        }
        return node != null;
    }

    /** Hands out some members; as {@link HashValue#scan}. */
    public long scan(long cursor, long count, Consumer<Node> visitor) {
        return nodes.scan(cursor, count, visitor);
    }

    /** Returns how many members come before a place. */
    public int rank(Before what) {
        seek(what);
        return passed[0];
    }

    /** Returns the rank of a member from 0 on, or -1. */
    public int rankOf(Bytes member) {
        Node node = nodes.find(member);
        if (node == null) {
            return -1;
        }
        seek(node.score, member);
        return passed[0];
    }

    /** Returns the member of a rank from 0 on, or null. */
    public @Nullable Node at(int rank) {
        if (rank < 0 || rank >= nodes.size()) {
            return null;
        }
        Node node = head;
        int left = rank + 1;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            Node next = node.next[level];
            while (next != null && node.spans[level] <= left) {
                left -= node.spans[level];
                node = next;
                next = node.next[level];
            }
        }
        return node;
    }

    /** Returns the members by their ranks, as they are at any time. */
    public List<Node> byRank() {
        return new AbstractList<>() {
            @Override
            public Node get(int rank) {
                Node found = at(rank);
                if (found == null) {
                    throw new IndexOutOfBoundsException(rank);
                }
                return found;
            }

            @Override
            public int size() {
                return nodes.size();
            }
        };
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(nodes.size());
        // In the order in which they came, which is that of scans.
        nodes.all().forEach(node -> {
            output.writeBytes(node.member.array());
            output.writeDouble(node.score);
        });
    }

    static SortedSet load(StateInput input) {
        SortedSet set = new SortedSet();
        for (int left = input.readInt(); left > 0; left--) {
            set.put(new Bytes(input.readBytes()), input.readDouble());
        }
        return set;
    }

    private static int compare(double score, Bytes member, double otherScore, Bytes otherMember) {
        int byScore = Double.compare(score, otherScore);
        return byScore != 0 ? byScore : member.compareTo(otherMember);
    }

    private static int height(Bytes member) {
        return Math.min(MAX_HEIGHT, 1 + Long.numberOfTrailingZeros(member.mixed() >>> 8 | 1L << 50) / 2);
    }

    /** Finds, on each level, the last one before the place, and how many come before that. */
    private void seek(Before what) {
        Node node = head;
        int count = 0;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            Node next = node.next[level];
            while (next != null && what.test(next.score, next.member)) {
                count += node.spans[level];
                node = next;
                next = node.next[level];
            }
            before[level] = node;
            passed[level] = count;
        }
    }

    /** As {@link #seek(Before)}, for the place of a member. */
    private void seek(double score, Bytes member) {
        Node node = head;
        int count = 0;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            Node next = node.next[level];
            while (next != null && compare(next.score, next.member, score, member) < 0) {
                count += node.spans[level];
                node = next;
                next = node.next[level];
            }
            before[level] = node;
            passed[level] = count;
        }
    }

    private void unlink(Node node) {
        seek(node.score, node.member);
        for (int level = 0; level < MAX_HEIGHT; level++) {
            Node prior = before[level];
            if (level < node.next.length) {
                prior.next[level] = node.next[level];
                prior.spans[level] += node.spans[level] - 1;
            } else {
                prior.spans[level]--;
            }
        }
        Node behind = node.next[0];
        if (behind != null) {
            behind.previous = node.previous;
        }
        count(node, -1);
    }

    private void count(Node node, int sign) {
        hash += sign * Bytes.mix(node.member.mixed() * 31 + Double.doubleToLongBits(node.score));
        bytes += sign * (long) (node.member.array().length + OVERHEAD);
    }
}
