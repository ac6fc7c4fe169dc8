package io.slipstream.lab.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The processors that this process may use, as its affinity mask says ({@code taskset}, a container's cpuset).
 *
 * @param order in the order in which the lab gives them to threads that are to be pinned: one of each core first, those
 *     that share a last-level cache next to each other and the largest such group in front; then the second ones of the
 *     cores in the same order
 * @param cores how many different cores they lie on
 */
public record Processors(List<Integer> order, int cores) {

    private record Place(int cpu, int core, int cache, int rank) {}

    /** Those of this process at its start. */
    public static Processors here() {
        return Here.FOUND;
    }

    /**
     * Reads them.
     *
     * @param root where {@code proc} and {@code sys} are found
     */
    static Processors read(Path root) {
        Kernel kernel = new Kernel(root);
        List<Integer> allowed = kernel.allowedCpus();
        if (allowed.isEmpty()) {
            allowed = IntStream.range(0, Runtime.getRuntime().availableProcessors())
                    .boxed()
                    .toList();
        }
        Map<Integer, Integer> siblingsSeen = new HashMap<>();
        Map<Integer, Integer> cacheSizes = new HashMap<>();
        List<Place> places = new ArrayList<>();
        for (int cpu : allowed) {
            int core = kernel.firstSibling(cpu);
            int cache = kernel.firstOfLastCache(cpu);
            places.add(new Place(cpu, core, cache, siblingsSeen.merge(core, 1, Integer::sum)));
            cacheSizes.merge(cache, 1, Integer::sum);
        }
        places.sort(Comparator.comparingInt(Place::rank)
                .thenComparing(place -> -cacheSizes.getOrDefault(place.cache, 0))
                .thenComparingInt(Place::cache)
                .thenComparingInt(Place::cpu));
        return new Processors(places.stream().map(Place::cpu).toList(), siblingsSeen.size());
    }

    private static final class Here {
        private static final Processors FOUND = read(Path.of("/"));
    }
}
