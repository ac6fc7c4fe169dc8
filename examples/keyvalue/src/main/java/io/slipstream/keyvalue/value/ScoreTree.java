package io.slipstream.keyvalue.value;

import io.slipstream.keyvalue.value.SortedSet.Before;
import io.slipstream.keyvalue.value.SortedSet.Node;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by score, those of equal score by their members: a B+ tree whose inner blocks know how many nodes are below
 * each of their children, so that a rank is found as fast as a node. Scores lie side by side in a block, so a search
 * reads little memory. For one thread.
 *
 * <pre>
 *   Inner    children   [ .......  ....... ]      the first key that each may have, and how many nodes it has
 *                           |          |
 *   Leaf                 [ ... ] ⇄ [ ..... ]      scores and nodes, in order
 * </pre>
 *
 * A block that has become small is joined with a neighbour if both fit into one block.
 */
final class ScoreTree {
    private static final int MOST = 64;
    private static final int LEAST = 16;
    private static final int FIRST = 8;

    private Block root = new Leaf();

    int size() {
        return root.count();
    }

    /** Adds a node that is not there. */
    void add(Node node) {
        Block right = root.add(node);
        if (right != null) {
            Inner grown = new Inner();
            grown.insert(0, root);
            grown.insert(1, right);
            root = grown;
        }
    }

    /** Removes the node of that key, which is there. */
    void remove(Node node) {
        root.remove(node);
        while (root instanceof Inner inner && inner.size == 1) {
            root = inner.children[0];
        }
    }

    /** Returns how many nodes come before a place. */
    int rank(Before what) {
        return root.rank(what);
    }

    /** Returns how many nodes come before that key. */
    int rank(double score, Bytes member) {
        return root.rank(score, member);
    }

    /** Returns the node of a rank that there is. */
    Node at(int rank) {
        return from(rank, false).next();
    }

    /** Returns the nodes from a rank on, upwards or downwards; nothing may change meanwhile. */
    Iterator<Node> from(int rank, boolean isDownwards) {
        if (rank < 0 || rank >= size()) {
            return new Walk(null, 0, isDownwards);
        }
        Block block = root;
        int left = rank;
        while (block instanceof Inner inner) {
            int place = 0;
            while (left >= inner.counts[place]) {
                left -= inner.counts[place++];
            }
            block = inner.children[place];
        }
        return new Walk((Leaf) block, left, isDownwards);
    }

    private static boolean isBefore(double score, Node node, double otherScore, Bytes otherMember) {
        return score < otherScore || score == otherScore && node.member().compareTo(otherMember) < 0;
    }

    /** Keys in order, with what belongs to them. */
    private abstract static sealed class Block {
        double[] scores;
        /* Of a leaf what it holds, of others whose key is the first that a child may have. */
        Node[] nodes;
        int size;

        Block(int capacity) {
            scores = new double[capacity];
            nodes = new Node[capacity];
        }

        abstract int count();

        /** Returns the half that was split off, or null. */
        abstract @Nullable Block add(Node node);

        abstract void remove(Node node);

        abstract int rank(Before what);

        abstract int rank(double score, Bytes member);

        /** Takes all of the block behind it. */
        abstract void join(Block behind);

        /** Returns the place of the first key from {@code from} on that does not come before. */
        final int firstNotBefore(int from, double score, Bytes member) {
            int low = from;
            int high = size;
            while (low < high) {
                int middle = low + high >>> 1;
                if (isBefore(scores[middle], nodes[middle], score, member)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        final int firstNotBefore(int from, Before what) {
            int low = from;
            int high = size;
            while (low < high) {
                int middle = low + high >>> 1;
                if (what.test(scores[middle], nodes[middle].member())) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        final void open(int place, Node key) {
            System.arraycopy(scores, place, scores, place + 1, size - place);
            System.arraycopy(nodes, place, nodes, place + 1, size - place);
            scores[place] = key.score();
            nodes[place] = key;
            size++;
        }

        final void close(int place) {
            size--;
            System.arraycopy(scores, place + 1, scores, place, size - place);
            System.arraycopy(nodes, place + 1, nodes, place, size - place);
            Arrays.fill(nodes, size, size + 1, null);
        }

        final void moveKeys(int from, Block to) {
            int moved = size - from;
            System.arraycopy(scores, from, to.scores, to.size, moved);
            System.arraycopy(nodes, from, to.nodes, to.size, moved);
            Arrays.fill(nodes, from, size, null);
            to.size += moved;
            size = from;
        }
    }

    private static final class Leaf extends Block {
        private @Nullable Leaf previous;
        private @Nullable Leaf next;

        Leaf() {
            super(FIRST);
        }

        @Override
        int count() {
            return size;
        }

        @Override
        @Nullable
        Block add(Node node) {
            int place = firstNotBefore(0, node.score(), node.member());
            if (size < MOST) {
                reserve(size + 1);
                open(place, node);
                return null;
            }
            Leaf right = new Leaf();
            right.reserve(MOST);
            // What comes in order fills its blocks.
            moveKeys(place == size && next == null ? size : size / 2, right);
            Leaf behind = next;
            if (behind != null) {
                behind.previous = right;
            }
            right.next = behind;
            right.previous = this;
            next = right;
            if (place > size || size == MOST) {
                right.open(place - size, node);
            } else {
                open(place, node);
            }
            return right;
        }

        private void reserve(int capacity) {
            if (capacity > nodes.length) {
                int larger = Math.min(MOST, Math.max(capacity, 2 * nodes.length));
                scores = Arrays.copyOf(scores, larger);
                nodes = Arrays.copyOf(nodes, larger);
            }
        }

        @Override
        void remove(Node node) {
            close(firstNotBefore(0, node.score(), node.member()));
        }

        @Override
        int rank(Before what) {
            return firstNotBefore(0, what);
        }

        @Override
        int rank(double score, Bytes member) {
            return firstNotBefore(0, score, member);
        }

        @Override
        void join(Block behind) {
            Leaf right = (Leaf) behind;
            reserve(size + right.size);
            right.moveKeys(0, this);
            next = right.next;
            if (next != null) {
                next.previous = this;
            }
        }
    }

    private static final class Inner extends Block {
        private final Block[] children = new Block[MOST + 1];
        private final int[] counts = new int[MOST + 1];
        private int count;

        Inner() {
            super(MOST + 1);
        }

        void insert(int place, Block child) {
            System.arraycopy(children, place, children, place + 1, size - place);
            System.arraycopy(counts, place, counts, place + 1, size - place);
            children[place] = child;
            counts[place] = child.count();
            count += counts[place];
            open(place, child.nodes[0]);
        }

        @Override
        int count() {
            return count;
        }

        /** Returns the child that a key belongs to; the first takes all that come before the others. */
        private int child(Node key) {
            int place = firstNotBefore(1, key.score(), key.member());
            boolean isFirstOfIt = place < size
                    && scores[place] == key.score()
                    && nodes[place].member().equals(key.member());
            return isFirstOfIt ? place : place - 1;
        }

        @Override
        @Nullable
        Block add(Node node) {
            int place = child(node);
            Block right = children[place].add(node);
            count++;
            counts[place]++;
            if (right == null) {
                return null;
            }
            count -= counts[place];
            counts[place] = children[place].count();
            count += counts[place];
            insert(place + 1, right);
            return size > MOST ? split() : null;
        }

        private Inner split() {
            Inner right = new Inner();
            move(size / 2, right);
            return right;
        }

        private void move(int from, Inner to) {
            int moved = size - from;
            System.arraycopy(children, from, to.children, to.size, moved);
            System.arraycopy(counts, from, to.counts, to.size, moved);
            for (int i = from; i < size; i++) {
                count -= counts[i];
                to.count += counts[i];
            }
            Arrays.fill(children, from, size, null);
            moveKeys(from, to);
        }

        @Override
        void remove(Node node) {
            int place = child(node);
            children[place].remove(node);
            count--;
            counts[place]--;
            if (children[place].size < LEAST) {
                if (!joins(place)) {
                    joins(place - 1);
                }
            }
        }

        /** Joins a child with the one behind it, if they fit into one block. */
        private boolean joins(int place) {
            if (place < 0 || place + 1 >= size || children[place].size + children[place + 1].size > MOST) {
                return false;
            }
            children[place].join(children[place + 1]);
            counts[place] += counts[place + 1];
            System.arraycopy(children, place + 2, children, place + 1, size - place - 2);
            System.arraycopy(counts, place + 2, counts, place + 1, size - place - 2);
            close(place + 1);
            Arrays.fill(children, size, size + 1, null);
            return true;
        }

        @Override
        int rank(Before what) {
            int place = firstNotBefore(1, what) - 1;
            return before(place) + children[place].rank(what);
        }

        @Override
        int rank(double score, Bytes member) {
            int place = firstNotBefore(1, score, member) - 1;
            return before(place) + children[place].rank(score, member);
        }

        private int before(int place) {
            int sum = 0;
            for (int i = 0; i < place; i++) {
                sum += counts[i];
            }
            return sum;
        }

        @Override
        void join(Block behind) {
            ((Inner) behind).move(0, this);
        }
    }

    private static final class Walk implements Iterator<Node> {
        private final boolean isDownwards;
        private @Nullable Leaf leaf;
        private int place;

        Walk(@Nullable Leaf leaf, int place, boolean isDownwards) {
            this.leaf = leaf;
            this.place = place;
            this.isDownwards = isDownwards;
        }

        @Override
        public boolean hasNext() {
            return leaf != null;
        }

        @Override
        public Node next() {
            Leaf in = leaf;
            if (in == null) {
                throw new NoSuchElementException();
            }
            Node node = in.nodes[place];
            place += isDownwards ? -1 : 1;
            // A block may be empty.
            while (in != null && (place < 0 || place >= in.size)) {
                in = isDownwards ? in.previous : in.next;
                place = isDownwards && in != null ? in.size - 1 : 0;
            }
            leaf = in;
            return node;
        }
    }
}
