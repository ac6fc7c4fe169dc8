package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Members by score, those of equal score by their bytes. */
public final class SortedSet implements Value, Iterable<SortedSet.Node> {
    /** Number of this type. */
    public static final byte TYPE = 3;

    private static final int OVERHEAD = 160;

    private final Places<Node> nodes = new Places<>(Node::member, true);
    private final ScoreTree byScore = new ScoreTree();
    private long hash;
    private long bytes;

    /**
     * A member and its score.
     *
     * @param member the member
     * @param score  its score, which is a number and not -0
     */
    public record Node(Bytes member, double score) {}

    /** Where to stop: says of a member whether it comes before what is looked for. */
    @FunctionalInterface
    public interface Before {
        /** Returns whether a member comes before. */
        boolean test(double score, Bytes member);
    }

    /** Creates an empty set. */
    public SortedSet() {}

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
        boolean isSmall = size() <= 128
                && nodes.all().stream().allMatch(node -> node.member().array().length <= 64);
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
        Node node = new Node(member, score);
        if (former == null) {
            nodes.add(node);
        } else if (former.score == score) {
            return false;
        } else {
            nodes.replace(node);
            byScore.remove(former);
            count(former, -1);
        }
        byScore.add(node);
        count(node, 1);
        return former == null;
    }

    /** Removes a member; returns whether it was there. */
    public boolean remove(Bytes member) {
        Node node = nodes.remove(member);
        if (node != null) {
            byScore.remove(node);
            count(node, -1);
        }
        return node != null;
    }

    /** Hands out some members; as {@link HashValue#scan}. */
    public long scan(long cursor, long count, Consumer<Node> visitor) {
        return nodes.scan(cursor, count, visitor);
    }

    /** Returns how many members come before a place. */
    public int rank(Before what) {
        return byScore.rank(what);
    }

    /** Returns the rank of a member from 0 on, or -1. */
    public int rankOf(Bytes member) {
        Node node = nodes.find(member);
        return node == null ? -1 : byScore.rank(node.score, member);
    }

    /** Returns the member of a rank from 0 on, or null. */
    public @Nullable Node at(int rank) {
        return rank < 0 || rank >= size() ? null : byScore.at(rank);
    }

    /** Returns the members from a rank on, upwards or downwards; nothing may change meanwhile. */
    public Iterator<Node> from(int rank, boolean isDownwards) {
        return byScore.from(rank, isDownwards);
    }

    /** Returns all members in order; nothing may change meanwhile. */
    @Override
    public Iterator<Node> iterator() {
        return from(0, false);
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

    private void count(Node node, int sign) {
        hash += sign * Bytes.mix(node.member.mixed() * 31 + Double.doubleToLongBits(node.score));
        bytes += sign * (long) (node.member.array().length + OVERHEAD);
    }
}
