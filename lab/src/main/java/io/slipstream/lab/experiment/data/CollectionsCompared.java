package io.slipstream.lab.experiment.data;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** B22: adding to, walking and emptying collections. */
public final class CollectionsCompared implements Experiment {
    /** Elements between two looks at the clock, where collections are smaller. */
    private static final int BATCH = 1_000;

    private static final String EMPTIED = "HashSet, grown and emptied";
    private static final int GROWN = 100_000;
    private static final int WALKS = 5;
    private static final int MOST_REMOVALS = 4_000;

    /**
     * So that all of it was touched when the rounds begin: the first touch of fresh memory costs more than an element.
     */
    private static final long SMALL_HEAP = 128L << 20;

    @Override
    public Card card() {
        return Card.of("B22", "Collections compared", Group.DATA)
                .question("What do adding, walking and removing cost in the JDK's collections, small and large?")
                .reported("ArrayList, 100,000: add", "30 ns", "August 2011", "ArrayList", 100_000, "add ns")
                .reported("ArrayList, 100,000: iterate", "14.5 ns", "August 2011", "ArrayList", 100_000, "iterate ns")
                .reported("ArrayList, 100,000: remove", "67,359 ns", "August 2011", "ArrayList", 100_000, "remove ns")
                .reported("LinkedList, 100,000: add", "46 ns", "August 2011", "LinkedList", 100_000, "add ns")
                .reported("LinkedList, 100,000: iterate", "41 ns", "August 2011", "LinkedList", 100_000, "iterate ns")
                .reported(
                        "LinkedList, 100,000: remove", "139,326 ns", "August 2011", "LinkedList", 100_000, "remove ns")
                .reported("HashSet, 10: iterate", "244,045 ns an element", "August 2011", EMPTIED, 10, "iterate ns")
                .reported("HashSet, 100: iterate", "24,490 ns", "August 2011", EMPTIED, 100, "iterate ns")
                .reported("HashSet, 1,000: iterate", "2,521 ns", "August 2011", EMPTIED, 1_000, "iterate ns")
                .plot(Plot.lines("add ns", "elements"))
                .plot(Plot.lines("iterate ns", "elements"))
                .plot(Plot.lines("remove ns", "elements"))
                .leavesToFull("a synchronized ArrayList, ArrayDeque, TreeSet, ConcurrentLinkedQueue and"
                        + " CopyOnWriteArrayList")
                .takes(Duration.ofSeconds(17), Duration.ofMinutes(23))
                .rule("Holds when, at the largest size measured, LinkedList takes at least 1.2 times as long as"
                        + " ArrayList to add, to iterate and to remove, and a HashSet of ten elements that had grown to"
                        + " 100,000 and was emptied takes at least 50 times as long to iterate as a fresh one.")
                .explanation("""
                    Elements are removed by value, the ends first and the middle last, so a list must search.
                    ArrayList searches along one array and then moves bytes, both of which the hardware loves;
                    LinkedList follows a pointer for each element. Its constant-time removal helps only who
                    already stands at the node.

                    Copy-on-write lists copy everything for each change. Hash sets find at once, but walk through
                    their empty places too. A set keeps its table when it is emptied: ten elements in a table for
                    100,000 cost hundreds of thousands of nanoseconds each, which is most likely what the article
                    saw. Prefer arrays, and open addressing to chains.\
                    """);
    }

    @Override
    @SuppressWarnings("JdkObsolete") // That LinkedList is obsolete is the point.
    public void plan(Plan plan) {
        // Removing all of n elements from a list takes n * n steps, which is why the quick form ends earlier.
        int largest = plan.count("elements at most", 10, 4_000, 100_000);
        int[] sizes = IntStream.concat(IntStream.iterate(10, n -> n < largest, n -> n * 10), IntStream.of(largest))
                .toArray();
        long adds = plan.size("adds", 10, 20_000, 100_000);
        add(plan, "ArrayList", sizes, adds, ArrayList::new);
        add(plan, "LinkedList", sizes, adds, LinkedList::new);
        add(plan, "HashSet", sizes, adds, HashSet::new);
        plan.add(EMPTIED, () -> {
                    Set<Integer> set = emptied();
                    return round -> {
                        for (int size : new int[] {10, 100, 1_000}) {
                            walk(round, set, size);
                        }
                    };
                })
                .heap(SMALL_HEAP);
        add(plan, "ConcurrentHashMap keys", sizes, adds, ConcurrentHashMap::newKeySet);
        if (plan.isComplete()) {
            add(plan, "synchronized ArrayList", sizes, adds, () -> Collections.synchronizedList(new ArrayList<>()));
            add(plan, "ArrayDeque", sizes, adds, ArrayDeque::new);
            add(plan, "TreeSet", sizes, adds, TreeSet::new);
            add(plan, "ConcurrentLinkedQueue", sizes, adds, ConcurrentLinkedQueue::new);
            add(plan, "CopyOnWriteArrayList", sizes, adds, CopyOnWriteArrayList::new);
        }
    }

    @Override
    public Verdict judge(Findings found) {
        List<String> sizes = found.xs("remove ns");
        String largest = sizes.isEmpty() ? "" : sizes.get(sizes.size() - 1);
        return found.claims(
                () -> found.ratio("add ns", "LinkedList", largest, "ArrayList", largest)
                        .atLeast(1.2, "LinkedList against ArrayList, adding:"),
                () -> found.ratio("iterate ns", "LinkedList", largest, "ArrayList", largest)
                        .atLeast(1.2, "LinkedList against ArrayList, iterating:"),
                () -> found.ratio("remove ns", "LinkedList", largest, "ArrayList", largest)
                        .atLeast(1.2, "The same, removing:"),
                () -> found.ratio("iterate ns", EMPTIED, 10, "HashSet", 10)
                        .atLeast(50, "An emptied HashSet against a fresh one, iterating ten:"));
    }

    private static void add(Plan plan, String name, int[] sizes, long adds, Supplier<Collection<Integer>> source) {
        plan.add(name, () -> round -> {
                    for (int size : sizes) {
                        measure(round, source, size, (int) Math.max(1, adds / size));
                    }
                })
                .heap(SMALL_HEAP)
                .warmUp(Duration.ofMillis(700));
    }

    private static Set<Integer> emptied() {
        Set<Integer> set = new HashSet<>();
        for (int i = 0; i < GROWN; i++) {
            set.add(i);
        }
        for (int i = 0; i < GROWN; i++) {
            set.remove(i);
        }
        return set;
    }

    private static void walk(Round round, Set<Integer> set, int size) {
        for (int i = 0; i < size; i++) {
            set.add(i);
        }
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < WALKS; i++) {
            for (Integer element : set) {
                sum += element;
            }
        }
        round.record("iterate ns", size, (double) (System.nanoTime() - start) / WALKS / size);
        round.check("sum", (size - 1L) * size / 2 * WALKS, sum);
        for (int i = 0; i < size; i++) {
            set.remove(i);
        }
    }

    /** Batches of collections, so that the clock is read for many elements, however few a collection has. */
    private static void measure(Round round, Supplier<Collection<Integer>> source, int size, int repeats) {
        Integer[] elements = new Integer[size];
        for (int i = 0; i < size; i++) {
            elements[i] = i;
        }
        int batch = Math.max(1, Math.min(repeats, BATCH / size));
        int batches = Math.max(1, repeats / batch);
        List<Collection<Integer>> collections = new ArrayList<>();
        long adding = 0;
        long walking = 0;
        long removing = 0;
        long removals = 0;
        long sum = 0;
        for (int i = 0; i < batches; i++) {
            collections.clear();
            for (int j = 0; j < batch; j++) {
                collections.add(source.get());
            }
            long start = System.nanoTime();
            fill(collections, elements);
            long added = System.nanoTime();
            sum += sum(collections);
            long walked = System.nanoTime();
            adding += added - start;
            walking += walked - added;
            // Emptying a large list takes long; one time is enough.
            if (i == 0 || removals < MOST_REMOVALS) {
                empty(collections, elements);
                removing += System.nanoTime() - walked;
                removals += (long) size * batch;
                for (Collection<Integer> collection : collections) {
                    round.check("elements left", 0, collection.size());
                }
            }
        }
        long operations = (long) size * batch * batches;
        round.record("add ns", size, (double) adding / operations);
        round.record("iterate ns", size, (double) walking / operations);
        round.record("remove ns", size, (double) removing / removals);
        round.check("sum", (size - 1L) * size / 2 * batch * batches, sum);
    }

    /**
     * One by one, which is what is measured. As the two below a method of its own, so that it is compiled as a whole
     * soon.
     */
    private static void fill(List<Collection<Integer>> collections, Integer[] elements) {
        for (Collection<Integer> collection : collections) {
            for (Integer element : elements) {
                collection.add(element);
            }
        }
    }

    private static long sum(List<Collection<Integer>> collections) {
        long sum = 0;
        for (Collection<Integer> collection : collections) {
            for (Integer element : collection) {
                sum += element;
            }
        }
        return sum;
    }

    /** The ends first, the middle last. */
    private static void empty(List<Collection<Integer>> collections, Integer[] elements) {
        for (Collection<Integer> collection : collections) {
            for (int low = 0, high = elements.length - 1; low <= high; low++, high--) {
                collection.remove(elements[low]);
                if (low < high) {
                    collection.remove(elements[high]);
                }
            }
        }
    }
}
