package io.slipstream.keyvalue.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.keyvalue.value.SortedSet.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoreTreeTest {
    private static final Comparator<Node> ORDER =
            Comparator.comparingDouble(Node::score).thenComparing(Node::member);

    private final ScoreTree tree = new ScoreTree();
    private final List<Node> model = new ArrayList<>();

    /** With many scores and with few, of which each has many members. */
    @ParameterizedTest
    @CsvSource({"1, 20", "1, 2000", "3, 400", "50, 2000", "1000000, 6000"})
    void isInOrderWhileItGrowsAndShrinks(int scores, int most) {
        Random random = new Random(most);
        for (int target : new int[] {most, most / 2, most, 3, most, 0, most / 3, 0}) {
            while (model.size() != target) {
                boolean isGrowing = model.size() < target;
                if (random.nextInt(10) < (isGrowing ? 8 : 2)) {
                    add(new Node(Bytes.of("member " + random.nextInt()), random.nextInt(scores) - scores / 2.0));
                } else if (!model.isEmpty()) {
                    remove(random.nextInt(model.size()));
                }
            }
            requireSame(random);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void isInOrderWhenAllComesInOrder(boolean isDownwards) {
        for (int i = 0; i < 20_000; i++) {
            add(new Node(Bytes.of("member"), isDownwards ? -i : i));
        }
        requireSame(new Random(1));
        while (!model.isEmpty()) {
            remove(isDownwards ? model.size() - 1 : 0);
        }
        requireSame(new Random(1));
    }

    private void add(Node node) {
        int place = Collections.binarySearch(model, node, ORDER);
        if (place < 0) {
            tree.add(node);
            model.add(-place - 1, node);
        }
    }

    private void remove(int rank) {
        tree.remove(model.remove(rank));
    }

    private void requireSame(Random random) {
        assertThat(tree.size()).isEqualTo(model.size());
        assertThat(all(tree.from(0, false))).isEqualTo(model);
        assertThat(all(tree.from(model.size() - 1, true))).isEqualTo(model.reversed());
        for (int i = 0; i < 300 && !model.isEmpty(); i++) {
            int rank = random.nextInt(model.size());
            Node node = model.get(rank);
            assertThat(tree.at(rank)).isSameAs(node);
            assertThat(tree.rank(node.score(), node.member())).isEqualTo(rank);
            assertThat(tree.rank((score, member) -> ORDER.compare(new Node(member, score), node) <= 0))
                    .isEqualTo(rank + 1);
            assertThat(all(tree.from(rank, false))).isEqualTo(model.subList(rank, model.size()));
            assertThat(all(tree.from(rank, true)))
                    .isEqualTo(model.subList(0, rank + 1).reversed());
        }
    }

    private static List<Node> all(Iterator<Node> nodes) {
        List<Node> all = new ArrayList<>();
        nodes.forEachRemaining(all::add);
        return all;
    }
}
